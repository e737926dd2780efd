import Bellhop

extension Command {
    /// How full the disks are.
    static func disk(on machine: Machine) -> Command {
        Command("disk", "How full the disks are") { context in
            try DiskReport(machine).text(warning: context.settings(OpsSettings.self).diskWarning)
        }.allow(.ops).idempotent()
    }
}

/// What is left on each disk.
struct DiskReport: Equatable {
    struct Disk: Equatable {
        var path: String
        var space: FileSystemSpace

        /// As df(1) counts: what root keeps for itself is neither used nor free.
        var use: Share {
            let used = space.size &- min(space.free, space.size)
            return Share(used, of: used &+ space.available)
        }

        var files: Share { Share(space.files &- min(space.freeFiles, space.files), of: space.files) }
    }

    var disks: [Disk] = []
    var remote: [MountTable.Mount]
    /// Which are there, but would not say.
    var silent: [String] = []

    init(_ machine: Machine) throws {
        let table = MountTable(try machine.read("/proc/self/mounts"))
        remote = table.remote
        for mount in table.disks {
            // Some have no size at all, like the parents of other file systems.
            switch machine.space(mount.path) {
            case let space? where space.size > 0: disks.append(Disk(path: mount.path, space: space))
            case .some: continue
            case nil: silent.append(mount.path)
            }
        }
    }

    /// One line for each disk, those first that are nearly full: from `warning` percent on.
    func text(warning: Int) -> String {
        let isFull = { (disk: Disk) in disk.use.percent >= warning || disk.files.percent >= warning }
        var lines = disks.filter(isFull).map { "NEARLY FULL: " + Self.line($0, warning) }
        lines += disks.filter { !isFull($0) }.map { Self.line($0, warning) }
        if disks.isEmpty { lines.append("There is no disk that I could ask.") }
        if !silent.isEmpty { lines.append("would not say: \(silent.joined(separator: ", "))") }
        if !remote.isEmpty {
            lines.append(
                "not asked, being on other machines: \(remote.map { "\($0.path) (\($0.type))" }.joined(separator: ", "))"
            )
        }
        return lines.joined(separator: "\n")
    }

    private static func line(_ disk: Disk, _ warning: Int) -> String {
        let space = disk.space
        var line = "\(disk.path) \(disk.use), \(ByteText.show(space.available)) of \(ByteText.show(space.size)) free"
        if disk.files.percent >= warning { line += "; files \(disk.files), \(space.freeFiles) of \(space.files) free" }
        return line
    }
}
