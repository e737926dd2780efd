package import BellhopDiagnostics
package import BellhopXMPP

/// Decides what becomes of everything that people and servers send to the bot.
///
/// Lives on the loop's thread and is not Sendable. Inputs are methods; their effects go to the ledger and the chat in
/// the same turn. After each turn in which anything was written the loop calls `turnCommitted()`, which starts the
/// handlers whose rows are safe now, and before it sleeps it asks for `nextDeadline`.
package final class Desk {
    /// See Desk+Settings.
    var plan: DeskPlan
    /// Our own bare address, as the server says.
    var account: JID
    let ledger: any Ledger
    let chat: any Chat
    let log: Log
    let post: @Sendable (DeskInput) -> Void
    let inlineExecutor: (any TaskExecutor)?
    /// Where the tasks of handlers run that are not quick; nil for the threads of the process.
    let taskExecutor: (any TaskExecutor)?
    let outlet: ReplyOutlet

    // Running handlers; see Desk+Runs.
    var lanes: [JID: Lane] = [:]
    var runs: [RunID: Run] = [:]
    /// In the order of their deadlines.
    var runOrder: [RunID] = []
    /// Runs whose `started` is written in this turn and not yet committed.
    var uncommitted: [RunID] = []
    var lastRun: UInt64 = 0
    var waitingCount = 0
    /// Set where people are slowed down; see Desk+Pace.
    var paces: PersonPaces?
    /// Conversations in which nothing runs though something waits, in the order of the moments at which they go on.
    var slowed: [SlowedPerson] = []
    var slowNotices = NoticeLimit(count: 1, period: .seconds(600))
    /// Commands that wait for a yes; see Desk+Confirming.
    var confirmations = ConfirmationBook()

    /// How large messages may be; see Desk+Size.
    var stanzaLimits = StanzaLimits()

    // Long answers and typing notifications; see Desk+Output and Desk+Typing.
    var held = HeldOutputs()
    /// Runs that will show that they are at work, in the order of their moments: all wait equally long.
    var typingQueue: [TypingEntry] = []

    // What goes wrong, and who hears of it; see Desk+Troubles.
    var watch = TroubleWatch()
    var troubleLimit = TroubleLimit()

    // Limits; see Desk+Messages.
    var brake: LoopBrake?
    var notices = NoticeLimit(count: 3, period: .seconds(60))
    /// Offline storage brings late messages in heaps; their writers are told once for all of a heap.
    var lateNotices = NoticeLimit(count: 1, period: .seconds(60))
    var encryptionNotices = NoticeLimit(count: 1, period: .seconds(3_600))
    /// Persons with whom we went in circles, told to the admins once each.
    var circling: Set<JID> = []

    /// Set while the bot is paused; see Desk+Pausing.
    package internal(set) var pause: Pause?
    /// Who was told that the bot is paused.
    var pauseNotices = Desk.newPauseNotices
    /// How many commands wait for the end of the pause.
    var heldCommands = 0

    /// What contacts see while the bot is not paused; see Desk+Operating.
    var presence: Availability
    /// Who tells admins how the bot is; nil where nobody can.
    package weak var steward: (any Steward)?

    // Unasked messages; see Desk+Sending.
    var unconfirmed: [Sent] = []
    var outgoing = OutgoingTracker()

    // Requests and events.
    var requests: RequestBook
    var events = EventQueue()

    package init(
        bot: Bot, settings: DeskSettings, ledger: any Ledger, chat: any Chat, inlineExecutor: (any TaskExecutor)?,
        taskExecutor: (any TaskExecutor)? = nil, log: Log, post: @escaping @Sendable (DeskInput) -> Void
    ) {
        plan = DeskPlan(bot: bot, settings: settings)
        account = settings.account
        self.ledger = ledger
        self.chat = chat
        self.inlineExecutor = inlineExecutor
        self.taskExecutor = taskExecutor
        self.log = log
        self.post = post
        outlet = ReplyOutlet(post: post)
        outlet.apply(settings)
        brake = settings.loopBrake.map(LoopBrake.init(limit:))
        paces = settings.perPerson.map(PersonPaces.init)
        requests = RequestBook(pending: ledger.pendingRequests())
        presence = settings.availability
        pause = ledger.storedPause()
    }

    /// Takes what handlers and authors' code posted from other threads.
    package func received(_ input: DeskInput, at moment: Moment) {
        switch input {
        case .replied(let run, let reply):
            outlet.gate.took(reply, of: run)
            handlerReplied(reply, run, at: moment)
        case .finished(let run, let outcome): handlerFinished(run, outcome, at: moment)
        case .finishedEvent(let number, let failure): eventHandlerFinished(number, failure: failure, at: moment)
        case .asked(let request):
            noteRefused(outlet.gate.took(request))
            asked(request, at: moment)
        case .answered(let answer): answered(answer, at: moment)
        }
    }

    /// What was written so far is safe: starts the handlers and answers the senders that waited for it.
    package func turnCommitted() {
        if !uncommitted.isEmpty {
            let started = uncommitted
            uncommitted = []
            for run in started { startTask(of: run) }
        }
        if !unconfirmed.isEmpty {
            let sent = unconfirmed
            unconfirmed = []
            for sent in sent { sent.journalled.settle(.success(())) }
        }
    }

    /// When `timeReached` wants to be called; nil while nothing is pending, so that an idle bot has no timer.
    package var nextDeadline: Duration? {
        var first = events.deadline
        if let digest = requests.digestAt { first = first.map { min($0, digest) } ?? digest }
        if let question = confirmations.deadline { first = first.map { min($0, question) } ?? question }
        if let slowed = slowed.first { first = first.map { min($0, slowed.until) } ?? slowed.until }
        guard !runOrder.isEmpty else { return first }
        if let typing = nextTyping { first = first.map { min($0, typing) } ?? typing }
        dropEndedRuns()
        if let run = runOrder.first.flatMap({ runs[$0]?.deadline }) { first = first.map { min($0, run) } ?? run }
        return first
    }

    package func timeReached(at moment: Moment) {
        stopLateRuns(at: moment)
        goOnWithSlowed(at: moment)
        showTyping(at: moment)
        dropUnanswered(at: moment)
        sendDigestIfDue(at: moment)
        stopLateEventHandler(at: moment)
    }

    /// Whether handlers still run or wait; a goodbye waits for this to become false, or for its deadline.
    package var isBusy: Bool { !runs.isEmpty || events.isBusy }

    /// Forgets what is remembered of a person between two messages; what is running or waiting goes on.
    package func forget(_ person: JID) {
        _ = requests.take(.person(person.bare))
        requests.forgetSettled(person.bare)
        brake?.forget(person.bare)
        paces?.forget(person.bare)
        slowNotices.forget(person.bare)
        notices.forget(person.bare)
        lateNotices.forget(person.bare)
        encryptionNotices.forget(person.bare)
        circling.remove(person.bare)
    }

    /// The end: cancels all handlers, and tells those who wait for a message that there will be none.
    package func close() {
        for run in runs.values { run.task?.cancel() }
        runs = [:]
        runOrder = []
        typingQueue = []
        uncommitted = []
        lanes = [:]
        slowed = []
        events.cancel()
        for sent in unconfirmed { sent.journalled.settle(.failure(.stopped)) }
        unconfirmed = []
    }
}
