internal import CBellhopResolv

/// Names as the system looks them up: /etc/hosts and its like for hosts, /etc/resolv.conf for records; blocks.
enum SystemNames {
    private static let mostAddresses = 32

    /// The addresses of a host in the order in which the system prefers them; `isNumeric` asks nobody and reads an address.
    static func addresses(of host: String, isNumeric: Bool = false) -> Result<[NumericAddress], HostFault> {
        guard !host.utf8.contains(0) else { return .failure(HostFault(reason: "no host name")) }
        var room = [bellhop_address](repeating: bellhop_address(), count: mostAddresses)
        var found: Int32 = 0
        let code = unsafe bellhop_addresses(host, isNumeric ? 1 : 0, &room, Int32(mostAddresses), &found)
        guard code == 0 else {
            return .failure(
                HostFault(reason: unsafe gai_strerror(code).map { unsafe String(cString: $0) } ?? "unknown"))
        }
        return .success(room.prefix(Int(found)).map(NumericAddress.init))
    }

    struct HostFault: Error { var reason: String }

    /// The records that answer a question, none where there are none.
    static func ask(_ question: NameQuestion) throws(NameFault) -> [NameAnswer.Record] {
        var room = [UInt8](repeating: 0, count: 65_536)
        let length = unsafe bellhop_query(
            question.name.description, Int32(question.kind.rawValue), &room, Int32(room.count))
        switch length {
        case 0: return []
        case -1: throw .unanswered
        case ..<0: throw .refused(code: nil)
        default: break
        }
        switch NameAnswer(Array(room.prefix(Int(length))), to: question, id: nil) {
        case .records(let records): return records
        case .failed(let fault): throw fault
        case .truncated, .foreign: throw .malformed
        }
    }
}
