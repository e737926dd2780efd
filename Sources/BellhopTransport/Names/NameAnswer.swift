/// What a name server answers (RFC 1035 section 4.1, RFC 3596 section 2.1, RFC 2782).
enum NameAnswer: Equatable, Sendable {
    /// The records of the name that was asked, aliases followed; none where there is no such name or no such record.
    case records([Record])
    /// The answer did not fit; it is to be asked for by TCP.
    case truncated
    case failed(NameFault)
    /// The message answers another question, or none.
    case foreign

    /// One record of the kind that was asked.
    enum Record: Equatable, Sendable {
        case address(NumericAddress)
        case service(priority: UInt16, weight: UInt16, port: UInt16, target: DomainName)
    }

    /// How many records are kept of an answer.
    private static let mostRecords = 64
    /// How many aliases in a row are followed.
    private static let mostAliases = 8

    /// Reads a message as the answer to a question that was asked under this number; nil for one whose number does not matter.
    init(_ bytes: [UInt8], to question: NameQuestion, id: UInt16?) {
        var reader = NameReader(bytes)
        do throws(NameFault) {
            let number = try reader.number()
            let flags = try reader.number()
            let questions = try reader.number()
            let answers = try reader.number()
            _ = try reader.take(4)
            // An answer, to a plain question.
            guard number == id ?? number, flags & 0xF800 == 0x8000 else {
                self = .foreign
                return
            }
            let code = UInt8(flags & 0xF)
            if questions == 0, code != 0, code != 3 {
                self = .failed(.refused(code: code))
                return
            }
            guard questions == 1, try reader.name() == question.name, try reader.number() == question.kind.rawValue,
                try reader.number() == 1
            else {
                self = .foreign
                return
            }
            if flags & 0x0200 != 0 {
                self = .truncated
            } else if code == 0 || code == 3 {
                self = .records(try Self.records(in: &reader, count: Int(answers), of: question))
            } else {
                self = .failed(.refused(code: code))
            }
        } catch {
            // Whoever sends less than a question back has not answered it.
            self = reader.place < 12 ? .foreign : .failed(error)
        }
    }

    private static func records(
        in reader: inout NameReader, count: Int, of question: NameQuestion
    ) throws(NameFault) -> [Record] {
        var found: [DomainName: [Record]] = [:]
        var aliases: [DomainName: DomainName] = [:]
        var kept = 0
        for _ in 0..<count {
            let owner = try reader.name()
            let kind = try reader.number()
            let family = try reader.number()
            _ = try reader.take(4)
            let length = Int(try reader.number())
            let end = reader.place + length
            if family == 1, kind == NameQuestion.Kind.alias.rawValue {
                aliases[owner] = try reader.name()
            } else if family == 1, kind == question.kind.rawValue, kept < mostRecords {
                found[owner, default: []].append(try record(question.kind, length, &reader))
                kept += 1
            } else {
                _ = try reader.take(length)
            }
            guard reader.place == end else { throw .malformed }
        }
        var name = question.name
        for _ in 0..<mostAliases {
            if let records = found[name] { return records }
            guard let alias = aliases[name] else { return [] }
            name = alias
        }
        return []
    }

    private static func record(
        _ kind: NameQuestion.Kind, _ length: Int, _ reader: inout NameReader
    ) throws(NameFault) -> Record {
        switch kind {
        case .address, .longAddress:
            guard let address = NumericAddress(bytes: try reader.take(length)),
                address.isIPv6 == (kind == .longAddress)
            else { throw .malformed }
            return .address(address)
        case .service:
            return .service(
                priority: try reader.number(), weight: try reader.number(), port: try reader.number(),
                target: try reader.name())
        // Nobody asks for aliases; they come with the answers to other questions.
        case .alias: throw .malformed
        }
    }
}
