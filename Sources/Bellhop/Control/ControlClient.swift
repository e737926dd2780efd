package import BellhopTransport
package import BellhopXMPP

/// Asks a running bot.
package enum ControlClient {
    /// The largest answer that is read: a roster of tens of thousands of contacts.
    private static let answerLimit = 16_777_216
    /// How long the bot may say nothing at all. It has less for most requests, and says every few seconds that it is at work on
    /// the others, so a bot that is silent for so long is stuck.
    package static let patience: Duration = .seconds(60)

    /// What came of asking.
    package enum Outcome: Equatable, Sendable {
        case answered(ControlAnswer)
        /// No bot listens there.
        case nobody
        case failed(LocalFault)
    }

    /// Waits for the answer of the bot of an account, a nil one where the configuration names none.
    package static func ask(
        _ request: ControlRequest, for account: JID?, at path: String,
        patience: Duration = ControlClient.patience
    ) -> Outcome {
        do throws(LocalFault) {
            let connection = try LocalConnection(to: path)
            // In a folder for everybody, like /tmp, somebody else could have put a socket there.
            let own = LocalConnection.ownUser
            guard own == 0 || ControlServer.admits(peer: connection.peer, own: own) else {
                return .failed(.forbidden(path: path))
            }
            do throws(LocalFault) {
                try connection.write(
                    Array((AddressedRequest(request, for: account).json + "\n").utf8),
                    until: MonotonicClock.now() + patience)
            } catch .closed {
                // Who closes before the question has said why.
            }
            let line = try connection.readAnswer(limit: answerLimit, patience: patience)
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
