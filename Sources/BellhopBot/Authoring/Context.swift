public import BellhopXML
public import BellhopXMPP

/// What a handler knows of the message that it runs from, and how it answers.
public struct Context: Sendable {
    /// The text behind the command's name, as typed; for `Otherwise` the whole body.
    public let arguments: String
    let job: Job
    let run: RunID
    let outlet: ReplyOutlet

    /// The full address that wrote; answers go there.
    public var sender: JID { job.sender }
    /// The message itself, with its stanza.
    public var message: IncomingMessage { job.message }
    /// The bot, for speaking unasked and for presence and contacts.
    public var bot: BotHandle { outlet.bot }

    /// The folder for the bot's own files, which is the journal's; in `chat` one that is removed at the end.
    public var stateFolder: String { outlet.surroundings.folder }
    /// See `DeskSettings.custom`.
    package var customSettings: (any Sendable)? { outlet.surroundings.custom }

    /// Sends one more answer now, behind those sent before; what the handler returns comes last.
    ///
    /// A run may send 1,000 answers; the rest is dropped, and the log and the person are told. All answers of a run are one
    /// output: beyond what `commands.output` lets leave at once, they wait until the person says `more`.
    public func reply(_ text: String) {
        outlet.reply(Reply(text: text, payloads: []), from: run)
    }

    /// Sends one more answer with extension elements; an empty text sends the elements alone.
    public func reply(_ text: String, payloads: [Element]) {
        outlet.reply(Reply(text: text, payloads: payloads), from: run)
    }
}

/// One answer of a handler.
package struct Reply: Sendable, Equatable {
    package var text: String
    package var payloads: [Element]

    package init(text: String, payloads: [Element]) {
        self.text = text
        self.payloads = payloads
    }

    var isEmpty: Bool { text.isEmpty && payloads.isEmpty }
}

/// One run of a handler, numbered since the desk was opened.
package struct RunID: Hashable, Sendable {
    package var number: UInt64
}
