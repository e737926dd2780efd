/// What admins may ask, in the chat, of the house around the desk; loop-confined, and nothing here waits.
package protocol Steward: AnyObject {
    /// How the bot is, in a few lines for an admin.
    var status: String { get }
    /// Reads the configuration again, and says later what came of it; `answered` is called once, on any thread.
    func rereadConfiguration(_ answered: @escaping @Sendable (String) -> Void)
    /// Examines what the bot needs, and says later what was found; `answered` is called once, on any thread.
    func examine(_ answered: @escaping @Sendable (String) -> Void)
}
