package import BellhopTransport

/// Asks a running bot.
package enum ControlClient {
    /// The largest answer that is read: a roster of tens of thousands of contacts.
    private static let answerLimit = 16_777_216
    /// So much longer than the bot may take.
    private static let patience: Duration = .seconds(15)

    /// What came of asking.
    package enum Outcome: Equatable, Sendable {
        case answered(ControlAnswer)
        /// No bot listens there.
        case nobody
        case failed(LocalFault)
    }

    package static func ask(_ request: ControlRequest, at path: String) -> Outcome {
        do throws(LocalFault) {
            let connection = try LocalConnection(to: path)
            // In a folder for everybody, like /tmp, somebody else could have put a socket there.
            let own = LocalConnection.ownUser
            guard own == 0 || ControlServer.admits(peer: connection.peer, own: own) else {
                return .failed(.forbidden(path: path))
            }
            let deadline = MonotonicClock.now() + request.patience + patience
            try connection.write(Array((request.json + "\n").utf8), until: deadline)
            let line = try connection.readLine(limit: answerLimit, until: deadline)
            return .answered(answer(line))
        } catch .nobody {
            return .nobody
        } catch {
            return .failed(error)
        }
    }

    private static func answer(_ line: [UInt8]) -> ControlAnswer {
        do throws(ControlFailure) {
            return try ControlAnswer(json: line, sizeLimit: answerLimit)
        } catch {
            return .failed(error)
        }
    }
}
