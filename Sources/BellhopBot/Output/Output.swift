internal import BellhopXMPP

/// What one run has said so far; all its answers together are one output.
struct Output {
    /// Nil for what the desk itself says at length.
    let run: RunID?
    /// The ordinal of the next message: answers count from 1.
    var ordinal = 1
    /// How many characters have left; short answers are counted by their bytes, which is quicker and never too little.
    var said = 0
    /// Whether the allowance is used up: what comes now waits until the person asks for it.
    var isHeld = false
    /// What the messages say of the bot; nil where the person's client did not speak of such things.
    var state: ChatState?

    init(of run: RunID?) { self.run = run }
}
