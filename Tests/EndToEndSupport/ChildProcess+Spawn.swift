import CBellhopProcess
import FoundationEssentials
import Glibc

/// The two ends of a channel between a test and its child.
struct ChannelEnds {
    var parent: Int32
    var child: Int32
}

extension ChildProcess {
    /// A pipe from the child.
    static func pipePair() throws(SpawnFault) -> ChannelEnds {
        var ends: [Int32] = [-1, -1]
        guard unsafe bellhop_pipe(&ends, O_CLOEXEC) == 0 else { throw SpawnFault(call: "pipe", number: errno) }
        return ChannelEnds(parent: ends[0], child: ends[1])
    }

    /// A stream to the child.
    static func streamPair() throws(SpawnFault) -> ChannelEnds {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            throw SpawnFault(call: "socketpair", number: errno)
        }
        return ChannelEnds(parent: ends[0], child: ends[1])
    }

    /// The test's own environment with some variables replaced, as `NAME=value`.
    static func environment(overlaidWith changes: [String: String]) -> [String] {
        ProcessInfo.processInfo.environment.merging(changes) { $1 }.map { "\($0.key)=\($0.value)" }
    }

    /// Starts a process whose descriptors 0, 1, 2 and so on are those given.
    static func spawn(
        _ path: String, _ arguments: [String], environment: [String], descriptors: [Int32]
    ) throws(SpawnFault) -> pid_t {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        for (target, descriptor) in descriptors.enumerated() {
            unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(target))
        }
        // Nothing else: a connection that a child has, too, does not end for the other side when it is closed here.
        unsafe bellhop_spawn_close_from(&actions, Int32(descriptors.count))
        // The test runner may hold back signals or ignore them; a child starts with none of that.
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        var all = sigset_t()
        unsafe sigemptyset(&none)
        unsafe sigfillset(&all)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setsigdefault(&attributes, &all)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        var identifier: pid_t = 0
        var argumentList = unsafe arguments.map { unsafe strdup($0) } + [nil]
        var environmentList = unsafe environment.map { unsafe strdup($0) } + [nil]
        defer {
            unsafe argumentList.forEach { unsafe free($0) }
            unsafe environmentList.forEach { unsafe free($0) }
        }
        let number = unsafe posix_spawn(&identifier, path, &actions, &attributes, &argumentList, &environmentList)
        guard number == 0 else { throw SpawnFault(call: "starting \(path)", number: number) }
        return identifier
    }
}
