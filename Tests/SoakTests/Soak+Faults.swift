import BellhopClient
import BellhopSQLite
import BellhopTestServer
import BellhopXMPP

@testable import Bellhop
@testable import BellhopJournal
@testable import BellhopTesting

/// What goes wrong, every ten to sixty seconds.
extension Soak {
    private enum Misfortune: CaseIterable {
        case cut, close, stall, longStall, delay, duplicate, reorder, truncate, freeze, lie, refuse, unreachable
        case restart, forgetful, forgetfulInSilence, noResumption, noStreamManagement, noArchive
        case lockedBriefly, locked, diskFull, clockJump
        case kill, killAtOnce, stop, pause, reload
    }

    /// Whether the hour is over and nothing goes wrong any more.
    var isCalm: Bool { world.now >= VirtualWorld.start + hour }

    func scheduleFault() {
        world.after(.milliseconds(Int.random(in: 10_000...60_000, using: &random))) { [self] in
            guard !isCalm else { return }
            if let misfortune = Misfortune.allCases.randomElement(using: &random) { strike(misfortune) }
            scheduleFault()
        }
    }

    private func some(_ least: Int, _ most: Int) -> Duration {
        .milliseconds(Int.random(in: least * 1_000...most * 1_000, using: &random))
    }

    private func inflict(_ fault: Fault) {
        note("\(fault)")
        world.network.host { $0.inflict(fault, at: world.moment) }
    }

    private func strike(_ misfortune: Misfortune) {
        switch misfortune {
        case .cut: inflict(.cut)
        case .close: inflict(.close)
        case .stall: inflict(.stall(some(1, 30)))
        case .longStall: inflict(.stall(some(90, 300)))
        case .delay: delay()
        case .duplicate: inflict(.duplicate)
        case .reorder: inflict(.reorder(Int.random(in: 2...6, using: &random)))
        case .truncate: inflict(.truncate(after: Int.random(in: 0...3_000, using: &random)))
        case .freeze: inflict(.freeze(some(1, 150)))
        case .lie: Miscount.allCases.randomElement(using: &random).map { inflict(.miscount($0)) }
        case .refuse:
            inflict(.refuse(some(5, 150)))
            inflict(.cut)
        case .unreachable: unplug()
        case .restart: inflict(.restart)
        case .forgetful: expire(remembering: true)
        case .forgetfulInSilence: expire(remembering: false)
        case .noResumption: serveOtherwise("a server that resumes nothing") { $0.streamManagement?.isResumable = false }
        case .noStreamManagement: serveOtherwise("a server without stream management") { $0.streamManagement = nil }
        case .noArchive: serveOtherwise("a server without archive") { $0.archive = nil }
        case .lockedBriefly: lockJournal(for: .milliseconds(Int.random(in: 1...240, using: &random)))
        case .locked: lockJournal(for: some(1, 90))
        case .diskFull: fillDisk(for: some(1, 90))
        case .clockJump: jump()
        case .kill, .killAtOnce: kill(atOnce: misfortune == .killAtOnce)
        case .stop: stop()
        case .pause: pause()
        case .reload: reload()
        }
    }

    // MARK: The network

    private func delay() {
        inflict(.delay(.milliseconds(Int.random(in: 100...3_000, using: &random))))
        world.after(some(5, 60)) { [self] in inflict(.delay(.milliseconds(20))) }
    }

    private func unplug() {
        note("unreachable")
        world.network.isUnreachable = true
        world.network.host { $0.inflict(.cut, at: world.moment) }
        world.after(some(5, 150)) { [self] in world.network.isUnreachable = false }
    }

    // MARK: The server

    /// The connection breaks and the session is given up before the bot is back.
    func expire(remembering: Bool) {
        note(remembering ? "sessions expire" : "sessions expire and are forgotten")
        world.network.host { host in
            host.server.options.streamManagement?.remembersExpired = remembering
            host.inflict(.cut, at: world.moment)
            host.order(at: world.moment) { $0.expireSessions(at: world.moment) }
        }
    }

    /// The server is started with other options, and later with those that it had.
    private func serveOtherwise(_ what: String, _ change: @escaping (inout SimulatedServerOptions) -> Void) {
        note(what)
        restartServer(change)
        world.after(some(30, 240)) { [self] in
            note("the server as it was")
            restartServer { $0 = SimulatedServerOptions() }
        }
    }

    private func restartServer(_ change: (inout SimulatedServerOptions) -> Void) {
        let hadArchive = world.network.host.server.options.archive != nil
        world.network.host { host in
            change(&host.server.options)
            host.inflict(.restart, at: world.moment)
        }
        let clock = world.moment.clock
        switch (hadArchive, world.network.host.server.options.archive != nil) {
        case (true, false): archiveless.append(clock...Timestamp(milliseconds: .max))
        case (false, true):
            if let span = archiveless.popLast() { archiveless.append(span.lowerBound...clock) }
        case (true, true), (false, false): break
        }
    }

    // MARK: The machine

    func lockJournal(for duration: Duration) {
        guard resident != nil, lock == nil, !isDoomed else { return }
        guard let taken = try? DatabaseLock(folder + "/j.db") else { return }
        note("the journal is locked for \(duration)")
        lock = taken
        world.after(duration) { [self] in unlockJournal() }
    }

    func unlockJournal() {
        lock?.release()
        lock = nil
    }

    private func fillDisk(for duration: Duration) {
        guard let connection = resident?.house.ledger.journal.connection, !isDiskFull, !isDoomed,
            let pages = try? connection.integer("PRAGMA page_count")
        else { return }
        note("the disk is full for \(duration)")
        isDiskFull = true
        _ = try? connection.integer("PRAGMA max_page_count = \(pages)")
        world.after(duration) { [self] in emptyDisk() }
    }

    func emptyDisk() {
        guard isDiskFull else { return }
        isDiskFull = false
        _ = try? resident?.house.ledger.journal.connection.integer("PRAGMA max_page_count = 1000000000")
    }

    private func jump() {
        world.clockError = .seconds(Int.random(in: -7_200...7_200, using: &random))
        note("the wall clock is off by \(world.clockError)")
    }

    // MARK: The bot

    /// While the journal cannot be written the bot says that a kill may lose or repeat something, so then it is let live.
    private var isMortal: Bool {
        guard let journal = resident?.house.ledger.journal else { return false }
        return lock == nil && !isDiskFull && journal.health.isClear
    }

    /// The bot may be waiting for a message to die of.
    private var isDoomed: Bool { fate.point(hasMessage: true) != nil }

    private func kill(atOnce: Bool) {
        guard isMortal, let point = KillPoint.allCases.randomElement(using: &random) else { return }
        note("kill \(point)" + (atOnce ? "" : " with the next message"))
        if atOnce {
            fate.strike(point)
            resident?.loop.handle.post(MortalHouse.QuietQuestion(number: 0))
        } else {
            fate.await(point)
        }
    }

    private func stop() {
        guard isMortal else { return }
        note("stop")
        resident?.loop.handle.stop()
    }

    private func pause() {
        guard !isPaused else { return }
        note("pause")
        isPaused = true
        say("pause", from: Self.admin)
        world.after(some(5, 200)) { [self] in
            note("resume")
            resume()
        }
    }

    /// An admin's word that comes too late is not heard, so it is said until it is.
    func resume() {
        say("resume", from: Self.admin)
        world.after(.seconds(20)) { [self] in
            guard !isOver else { return }
            guard let resident, !resident.house.desk.isPaused else { return resume() }
            isPaused = false
        }
    }

    private func reload() {
        guard let resident else { return }
        note("reload")
        resident.loop.handle.post(
            HouseRequest { [self] house in
                world.expectsWakeup = true
                house.reload()
            })
    }

    // MARK: The end

    /// From now on nothing goes wrong, and what is wrong is mended.
    func calm() {
        note("calm")
        world.network.isUnreachable = false
        world.network.host { host in
            host.resume(at: world.moment)
            host.inflict(.delay(.milliseconds(20)), at: world.moment)
        }
        restartServer { $0 = SimulatedServerOptions() }
        unlockJournal()
        emptyDisk()
        resume()
    }
}
