/// Something that another thread wants to know of a running bot, or wants done by it.
struct HouseRequest: Sendable {
    /// Called on the loop's thread.
    let answer: @Sendable (BotHouse) -> Void
}
