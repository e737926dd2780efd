internal import BellhopTransport

/// Reaches an account's loop from any thread.
package struct AccountHandle: Sendable {
    let inbox: Inbox<AccountInput>

    /// Asks the loop to say goodbye; asked twice, it ends at once.
    package func stop() { inbox.post(.stop) }

    /// Hands an input to the house, on the loop's thread.
    package func post(_ input: any Sendable) { inbox.post(.house(input)) }
}

/// What other threads may tell the loop.
enum AccountInput: Sendable {
    /// What the name servers say, to the attempt of this number.
    case found(attempt: Int, ServiceLookup)
    /// The dialler's answer to the attempt of this number.
    case dialled(attempt: Int, Result<Socket, TransportError>)
    case stop
    case house(any Sendable)
}
