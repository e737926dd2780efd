internal import CBellhopResolv
internal import Glibc

/// Asks the system's name servers; every call blocks, so it belongs on a thread of its own.
package enum Resolver {
    /// The SRV records of `_service._tcp.domain`; empty when there are none.
    package static func records(service: String, domain: String) throws(TransportError) -> [ServiceRecord] {
        let name = "_\(service)._tcp.\(domain)"
        var room = [bellhop_srv](repeating: bellhop_srv(), count: 32)
        let count = unsafe room.withUnsafeMutableBufferPointer { buffer in
            unsafe bellhop_srv_query(name, buffer.baseAddress, Int32(buffer.count))
        }
        guard count >= 0 else { throw .resolverUnavailable(name: name) }
        return room.prefix(Int(count)).map { record in
            let target = unsafe withUnsafeBytes(of: record.target) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            return ServiceRecord(
                priority: record.priority, weight: record.weight,
                target: Endpoint(host: target, port: record.port))
        }
    }

    /// The addresses of a host, in the order in which the system prefers them, the families taken in turn.
    static func addresses(of endpoint: Endpoint) throws(TransportError) -> AddressList {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        unsafe hints.ai_flags = AI_NUMERICSERV
        var first: UnsafeMutablePointer<addrinfo>?
        let code = unsafe getaddrinfo(endpoint.host, String(endpoint.port), &hints, &first)
        guard code == 0, let first = unsafe first else {
            let reason = unsafe gai_strerror(code).map { unsafe String(cString: $0) } ?? "unknown"
            throw .noAddress(host: endpoint.host, reason: reason)
        }
        return unsafe AddressList(first: first)
    }
}

/// The answer of one `getaddrinfo`, freed with the object.
@safe final class AddressList {
    private let first: UnsafeMutablePointer<addrinfo>
    private let inTurn: [UnsafeMutablePointer<addrinfo>]

    init(first: UnsafeMutablePointer<addrinfo>) {
        unsafe self.first = first
        var families: [Int32: [UnsafeMutablePointer<addrinfo>]] = unsafe [:]
        var order: [Int32] = []
        var next: UnsafeMutablePointer<addrinfo>? = unsafe first
        while let entry = unsafe next {
            let family = unsafe entry.pointee.ai_family
            if unsafe families[family] == nil { order.append(family) }
            unsafe families[family, default: []].append(entry)
            unsafe next = entry.pointee.ai_next
        }
        var mixed: [UnsafeMutablePointer<addrinfo>] = unsafe []
        var index = 0
        while true {
            let row = unsafe order.compactMap { family in
                unsafe families[family].flatMap { unsafe index < $0.count ? $0[index] : nil }
            }
            if unsafe row.isEmpty { break }
            unsafe mixed += row
            index += 1
        }
        unsafe inTurn = mixed
    }

    deinit { unsafe freeaddrinfo(first) }

    var count: Int { unsafe inTurn.count }

    /// The address as text, like `127.0.0.1`.
    func text(_ index: Int) -> String {
        var room = [CChar](repeating: 0, count: 64)
        let code = unsafe room.withUnsafeMutableBufferPointer { buffer in
            unsafe bellhop_numeric(inTurn[index], buffer.baseAddress, Int32(buffer.count))
        }
        guard code == 0 else { return "?" }
        return String(decoding: room.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Begins to connect; returns the descriptor and 0, EINPROGRESS or the errno of the failure.
    func beginConnecting(_ index: Int) -> (descriptor: Int32, code: Int32) {
        let descriptor = unsafe bellhop_stream_socket(inTurn[index].pointee.ai_family)
        guard descriptor >= 0 else { return (-1, errno) }
        let result = unsafe bellhop_connect(descriptor, inTurn[index])
        return (descriptor, result == 0 ? 0 : errno)
    }
}
