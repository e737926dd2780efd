package import BellhopEngine
internal import BellhopXML
package import BellhopXMPP

/// What a reading of the archive brings.
package enum ArchiveReport: Sendable {
    /// A page, in the archive's order, without what cannot be read; `cursor` is where a later reading can go on.
    case page([IncomingMessage], cursor: String?)
    /// Said once, last.
    case ended(ArchiveReading.Ending)
}

/// What is to be read of the account's own archive.
package struct ArchiveRequest: Sendable {
    package var start: ArchiveReading.Start
    /// Only what was said with this person; nil for everything.
    package var peer: JID?
    /// How many messages are read at most.
    package var limit: Int

    package init(_ start: ArchiveReading.Start, with peer: JID? = nil, limit: Int = 10_000) {
        self.start = start
        self.peer = peer
        self.limit = limit
    }
}

/// The account's own archive (XEP-0313).
extension AccountLoop {
    /// Says whether the server keeps an archive for the account, now or when it has answered; nil when it does not
    /// answer in time, or the session ends before.
    package func findArchive(_ found: @escaping (_ isThere: Bool?) -> Void) {
        guard let session = live else { return found(nil) }
        switch session.archive.support {
        case .known(let isThere): return found(isThere)
        case .asked: session.archive.waiters.append(found)
        case .unknown:
            session.archive.support = .asked
            session.archive.waiters.append(found)
            // With its address, since the server alone would answer for itself.
            request(.get(ServiceInfo.request), to: session.bound.jid.bare) { answered(session, $0) }
        }
        func answered(_ session: LiveSession, _ reply: IQReply?) {
            let isThere: Bool? =
                switch reply {
                case nil: nil
                case .error: false
                case .result(let payload):
                    payload.flatMap(ServiceInfo.init)?.features.contains(Namespace.messageArchive) ?? false
                }
            session.archive.support = isThere.map(ArchiveShelf.Support.known) ?? .unknown
            let waiters = session.archive.waiters
            session.archive.waiters = []
            for waiter in waiters { waiter(isThere) }
        }
    }

    /// Reads the archive page by page. The next page is asked for once `report` has returned, and leaves with the turn's
    /// commit. Everything is called on the loop's thread.
    package func readArchive(_ wanted: ArchiveRequest, _ report: @escaping (ArchiveReport) -> Void) {
        guard let session = live else { return report(.ended(.silence)) }
        let reading = ArchiveReading(
            wanted.start, with: wanted.peer, limit: wanted.limit, idPrefix: session.nextID() + "-")
        let run = ArchiveRun(reading, report)
        perform(run.reading.began(), run, session)
    }

    private func perform(_ actions: [ArchiveReading.Action], _ run: ArchiveRun, _ session: LiveSession) {
        for action in actions {
            switch action {
            case .ask(let query):
                session.archive.readings[query.id] = run
                request(.set(query.element), to: nil) { [self] reply in
                    session.archive.readings[query.id] = nil
                    perform(run.reading.answered(reply), run, session)
                }
            case .deliver(let page):
                session.reading.now = clock
                let messages = page.messages.compactMap {
                    IncomingMessage(archived: $0, reading: session.reading, address: { session.addresses.jid($0) })
                }
                run.report(.page(messages, cursor: page.cursor))
            case .finish(let ending): run.report(.ended(ending))
            }
        }
    }

    /// Takes a result of a question that is open; false for one that nobody asked for.
    func receiveArchived(_ stanza: Element, from sender: JID?, _ session: LiveSession) -> Bool {
        guard !session.archive.readings.isEmpty, sender != nil || stanza["from"] == nil,
            let result = ArchivedMessage(stanza), let run = session.archive.readings[result.queryID]
        else { return false }
        return run.reading.received(result, from: sender, account: session.bound.jid)
    }
}
