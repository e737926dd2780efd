import BellhopEngine
import BellhopXMPP
import Testing

@testable import BellhopClient

@Suite("Why a session ended")
struct BreakCauseTests {
    @Test(
        "a stream error that misses one client alone does not make it wait for all the others",
        arguments: [
            (StreamError.Condition.connectionTimeout, Backoff.Cause.line), (.reset, .line), (.systemShutdown, .server),
            (.internalServerError, .server), (.resourceConstraint, .server),
        ])
    func waits(condition: StreamError.Condition, cause: Backoff.Cause) {
        #expect(BreakCause.streamError(StreamError(condition), encrypted: true).backoff == cause)
    }
}
