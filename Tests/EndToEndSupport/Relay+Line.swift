import Glibc
import Synchronization

extension Relay {
    enum Direction: Sendable {
        case toServer
        case toClient
    }

    /// One connection through the relay. Each direction ends by itself; whichever ends last closes both.
    final class Line: Sendable {
        private struct State {
            var directions = 2
            /// The direction in which what comes next is lost.
            var losing: Direction?
            var isCut = false
            var isReset = false
        }

        private let client: Int32
        private let server: Int32
        private let state = Mutex(State())

        init(client: Int32, server: Int32) {
            self.client = client
            self.server = server
        }

        var isOpen: Bool { state.withLock { $0.directions > 0 && !$0.isCut } }

        func cut(_ cut: Cut) {
            state.withLock { state in
                guard state.directions > 0, !state.isCut else { return }
                switch cut {
                case .closed: end(&state)
                case .reset:
                    state.isReset = true
                    end(&state)
                case .losesIncoming: state.losing = .toClient
                case .losesOutgoing: state.losing = .toServer
                }
            }
        }

        func finishCut() {
            state.withLock { state in
                if state.losing != nil, state.directions > 0, !state.isCut { end(&state) }
            }
        }

        /// Wakes both directions; the last of them closes.
        private func end(_ state: inout State) {
            state.isCut = true
            let how = Int32(state.isReset ? SHUT_RD : SHUT_RDWR)
            for descriptor in [client, server] {
                if state.isReset {
                    // Closed with no time to linger, a connection is reset.
                    var linger = linger(l_onoff: 1, l_linger: 0)
                    unsafe setsockopt(
                        descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
                }
                shutdown(descriptor, how)
            }
        }

        /// Both ends, where no direction runs yet.
        func close() {
            Glibc.close(client)
            Glibc.close(server)
        }

        private func directionEnded(_ target: Int32) {
            let isLast = state.withLock { state in
                state.directions -= 1
                if !state.isReset { shutdown(target, Int32(SHUT_WR)) }
                return state.directions == 0
            }
            if isLast { close() }
        }

        /// Whether what was just read may go on.
        private func passes(_ direction: Direction) -> Bool {
            state.withLock { state in
                if state.losing == direction && !state.isCut { end(&state) }
                return !state.isCut
            }
        }

        func pump(_ direction: Direction, _ note: ([UInt8]) -> Void) {
            let (source, target) = direction == .toServer ? (client, server) : (server, client)
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = unsafe buffer.withUnsafeMutableBytes { unsafe recv(source, $0.baseAddress, $0.count, 0) }
                guard count > 0, passes(direction) else { break }
                note(Array(buffer[..<count]))
                var start = 0
                while start < count {
                    let written = unsafe buffer[start..<count].withUnsafeBytes {
                        unsafe send(target, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                    }
                    guard written > 0 else { break }
                    start += written
                }
            }
            directionEnded(target)
        }
    }
}
