internal import Glibc

/// A process that we started as the leader of a session of its own, with everybody who came of it.
///
/// The session is what can be stopped as a whole: a process group is not enough, since job control and `timeout` make
/// groups of their own. Who leaves the session (`setsid`, the way in which services detach themselves) is let go. While the
/// leader is not reaped, its number cannot come to mean another session.
struct ProcessSession {
    let leader: pid_t

    /// Asks everybody to stop.
    func terminate() {
        kill(-leader, SIGTERM)
        for member in members() { kill(member, SIGTERM) }
    }

    /// Ends everybody by force, and looks again until nobody is left who could have started another, for at most 200 ms.
    func end() {
        kill(-leader, SIGKILL)
        for _ in 0..<100 {
            let members = members()
            if members.isEmpty { return }
            for member in members { kill(member, SIGKILL) }
            // A process that was killed is gone when the kernel gets to it, and that announces itself to its parent only.
            poll(nil, 0, 2)
        }
    }

    /// The living members, the leader among them, as /proc shows them (proc(5)).
    func members() -> [pid_t] {
        guard let folder = unsafe opendir("/proc") else { return [] }
        defer { unsafe closedir(folder) }
        var members: [pid_t] = []
        while let entry = unsafe readdir(folder) {
            let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if let number = pid_t(name), isLivingMember(number) { members.append(number) }
        }
        return members
    }

    private func isLivingMember(_ number: pid_t) -> Bool {
        guard case .success(let file) = SystemFile.read("/proc/\(number)/stat", limit: 4096),
            // The name of the program, in parentheses, may hold anything; what follows the last one is words.
            let end = file.bytes.lastIndex(of: UInt8(ascii: ")"))
        else { return false }
        let words = file.bytes[(end + 1)...].split(separator: UInt8(ascii: " "))
        // State, parent, group, session.
        guard words.count > 3, let session = pid_t(String(decoding: words[3], as: UTF8.self)) else { return false }
        let isDead = words[0].first == UInt8(ascii: "Z") || words[0].first == UInt8(ascii: "X")
        return session == leader && !isDead
    }
}
