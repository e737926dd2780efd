internal import BellhopXML
package import BellhopXMPP

/// Reads an archive page by page, forward, until its end (XEP-0313 with XEP-0059).
///
/// Only what belongs to a question that is open now is taken. It ends whatever the server does: with the last page, with a
/// page that leads nowhere new, or with the limit.
package struct ArchiveReading: Equatable, Sendable {
    /// Where the reading begins.
    package enum Start: Equatable, Sendable {
        /// Behind the message of this id, which was filed then.
        case after(String, filedAt: Timestamp)
        case since(Timestamp)
        /// Only the newest message of all.
        case newest
    }

    package enum Action: Equatable, Sendable {
        case ask(ArchiveQuery)
        case deliver(Page)
        case finish(Ending)
    }

    /// A page whose end has come.
    package struct Page: Equatable, Sendable {
        package var messages: [ArchivedMessage]
        /// The id from which a later reading can go on; nil where the page gives none.
        package var cursor: String?

        package init(messages: [ArchivedMessage], cursor: String?) {
            self.messages = messages
            self.cursor = cursor
        }
    }

    package enum Ending: Equatable, Sendable {
        /// Nothing is left to be read.
        case complete
        /// There is more than may be read at once.
        case limit
        /// The server sent what makes no sense: a page that leads back, too many results, no end of a page.
        case confused
        case refused(StanzaError)
        /// No answer came in time, or none can come any more.
        case silence
    }

    private enum State: Equatable, Sendable {
        /// Next: `waiting`, or `over`.
        case ready
        /// A question is out. Next: `waiting` with another, or `over`.
        case waiting(Question)
        case over
    }

    private struct Question: Equatable, Sendable {
        var query: ArchiveQuery
        var messages: [ArchivedMessage] = []
        /// Whether more came than a page may have.
        var isFlooded = false
    }

    private let start: Start
    private let peer: JID?
    private let pageSize: Int
    private let limit: Int
    private let idPrefix: String
    private var state = State.ready
    private var questions = 0
    /// Where the pages so far ended: a page that ends there again leads in a circle.
    private var visited: Set<String> = []
    private var count = 0
    /// Whether the reading has begun once more, from a time, because the server did not know an id.
    private var hasRestarted = false
    /// False once a page was unstable: what follows it is no place to go on from either.
    private var movesCursor = true

    /// How much earlier than the known time a reading begins where an id is not known any more: clocks differ.
    package static let overlap: Duration = .seconds(60)

    /// A server may send a little more than it was asked for, but not without end.
    private var pageLimit: Int { pageSize * 4 }

    /// - Parameters:
    ///   - limit: How many messages are read at most, whole pages counted.
    ///   - idPrefix: What the ids of the questions begin with; nobody else may be able to guess it.
    package init(_ start: Start, with peer: JID? = nil, pageSize: Int = 50, limit: Int = 10_000, idPrefix: String) {
        self.start = start
        self.peer = peer
        self.pageSize = pageSize
        self.limit = limit
        self.idPrefix = idPrefix
    }

    /// The reading begins; asked again it does nothing.
    package mutating func began() -> [Action] {
        switch state {
        case .ready: break
        case .waiting, .over: return []
        }
        switch start {
        case .after(let id, _): return [ask(.after(id), since: nil, size: pageSize)]
        case .since(let moment): return [ask(.first, since: moment, size: pageSize)]
        case .newest: return [ask(.last, since: nil, size: 1)]
        }
    }

    /// A result came in; false when it is none of this reading's and nothing was done with it.
    ///
    /// - Parameters:
    ///   - from: The sender of the stanza that held it.
    ///   - account: Our own bare address: nobody else may speak for our archive.
    package mutating func received(_ result: ArchivedMessage, from: JID?, account: JID) -> Bool {
        guard from == nil || from == account.bare else { return false }
        switch state {
        case .ready, .over: return false
        case .waiting(var question):
            guard result.queryID == question.query.id else { return false }
            if question.messages.count < pageLimit {
                question.messages.append(result)
            } else {
                question.isFlooded = true
            }
            state = .waiting(question)
            return true
        }
    }

    /// The question was answered; nil when no answer came in time, or none can come any more.
    package mutating func answered(_ reply: IQReply?) -> [Action] {
        switch state {
        case .ready, .over: return []
        case .waiting(let question):
            switch reply {
            case nil: return [finish(.silence)]
            case .error(let error)?: return refused(error, question)
            case .result(let payload)?:
                guard let fin = payload.flatMap(ArchiveFin.init), !question.isFlooded else {
                    return [finish(.confused)]
                }
                return ended(question, fin)
            }
        }
    }

    private mutating func ended(_ question: Question, _ fin: ArchiveFin) -> [Action] {
        count += question.messages.count
        if !fin.isStable { movesCursor = false }
        let page = Page(messages: question.messages, cursor: movesCursor ? fin.last : nil)
        guard let last = fin.last, !fin.isComplete, question.query.page != .last else {
            return [.deliver(page), finish(.complete)]
        }
        guard question.query.page != .after(last), visited.insert(last).inserted else {
            return [.deliver(page), finish(.confused)]
        }
        if count >= limit || questions > limit { return [.deliver(page), finish(.limit)] }
        return [.deliver(page), ask(.after(last), since: question.query.start, size: pageSize)]
    }

    /// The server forgets old messages, and with them the place where we stopped.
    private mutating func refused(_ error: StanzaError, _ question: Question) -> [Action] {
        guard error.condition == .itemNotFound, !hasRestarted, case .after(_, let moment) = start else {
            return [finish(.refused(error))]
        }
        hasRestarted = true
        visited = []
        return [ask(.first, since: moment - Self.overlap, size: pageSize)]
    }

    private mutating func ask(_ page: ArchiveQuery.Page, since moment: Timestamp?, size: Int) -> Action {
        questions += 1
        let query = ArchiveQuery(
            id: "\(idPrefix)\(questions)", peer: peer, start: moment, page: page, size: size)
        state = .waiting(Question(query: query))
        return .ask(query)
    }

    private mutating func finish(_ ending: Ending) -> Action {
        state = .over
        return .finish(ending)
    }
}
