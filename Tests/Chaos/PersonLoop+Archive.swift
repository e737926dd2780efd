import BellhopXML
import BellhopXMPP
import EndToEndSupport

/// Where a person is in the reading of the archive.
struct ArchiveReading {
    /// Of the page that is asked for; nil while none is.
    private(set) var request: String?
    /// Whether this is to be told when it is done.
    var isReview = false
    private var sessions = 0
    private var pages = 0
    private var isMissed = false
    /// Whether what is being read began after it was asked to be told.
    private var coversReview = false

    var isReading: Bool { request != nil }
    /// Whether something may have been missed, or a reading was cut off.
    var isWanted: Bool { isMissed || isReview }

    /// A new session: what came in between is in the archive only, except before the first.
    mutating func sessionBegan() {
        request = nil
        isMissed = isMissed || sessions > 0
        sessions += 1
    }

    mutating func asked(isFirst: Bool) -> String {
        pages += 1
        if isFirst { coversReview = isReview }
        let id = "archive-\(sessions)-\(pages)"
        request = id
        return id
    }

    /// Returns whether that was all that was asked for, up to now.
    mutating func finished() -> Bool {
        request = nil
        isMissed = false
        guard isReview, coversReview else { return false }
        isReview = false
        return true
    }
}

/// The archive (XEP-0313), page by page (XEP-0059).
extension PersonLoop {
    /// Asks for the page behind `last`, or for the first.
    func readArchive(on stream: RawStream, after last: String? = nil) throws {
        let id = archive.asked(isFirst: last == nil)
        let behind = last.map { Element("after", namespace: Self.resultSets).with(text: $0).serialized() } ?? ""
        let query = """
            <iq type='set' id='\(id)'><query xmlns='\(Namespace.messageArchive)' queryid='\(id)'>\
            <x xmlns='\(Namespace.dataForms)' type='submit'>\
            <field var='FORM_TYPE' type='hidden'><value>\(Namespace.messageArchive)</value></field>\
            <field var='with'><value>\(bot)</value></field></x>\
            <set xmlns='\(Self.resultSets)'><max>50</max>\(behind)</set></query></iq>
            """
        try send(UnacknowledgedQueue.Entry(id: nil, stanza: query), on: stream)
    }

    func receivedArchivePage(_ iq: Element, on stream: RawStream) throws {
        guard let request = archive.request, iq["id"] == request else { return }
        guard let fin = iq.child("fin", Namespace.messageArchive) else {
            throw RawStreamFault(description: "the archive is not read: \(iq.serialized())")
        }
        let last = fin.child("set", Self.resultSets)?.child("last", Self.resultSets)?.text
        if let last, fin["complete"] != "true" { return try readArchive(on: stream, after: last) }
        if archive.finished() { census.note { _ = $0.reviewed.insert(person.number) } }
    }

    private static var resultSets: String { "http://jabber.org/protocol/rsm" }
}
