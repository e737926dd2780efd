import BellhopCrypto

/// A client and a server that hand each other bytes through arrays.
struct TLSPair {
    let client: TLSSession
    let server: TLSSession

    init(
        _ certificate: TestAuthority.Certificate = .good, name: TLSName = .dns("chat.example"),
        trust: TestAuthority.Trust = .authority
    ) throws {
        let authority = try TestAuthority.shared.get()
        client = try TLSSession(client: try authority.client(trust), name: name)
        server = try TLSSession(server: try authority.server(certificate))
    }

    init(client: TLSSession, server: TLSSession) {
        self.client = client
        self.server = server
    }

    /// Steps both until neither has anything to say; gives what each said last.
    ///
    /// `chunk` bytes are delivered at a time, with a step after each.
    func shakeHands(chunk: Int = .max) -> (client: TLSStep, server: TLSStep) {
        var last = (client: client.step(), server: server.step())
        while true {
            let said = output(of: client)
            for part in pieces(said, chunk) {
                server.receive(part.span)
                last.server = server.step()
            }
            let answered = output(of: server)
            for part in pieces(answered, chunk) {
                client.receive(part.span)
                last.client = client.step()
            }
            if said.isEmpty, answered.isEmpty { return last }
        }
    }

    /// Writes on one side and reads on the other.
    func carry(_ plain: [UInt8], from writer: TLSSession, to reader: TLSSession, chunk: Int = .max) throws
        -> (plain: [UInt8], end: TLSRead)
    {
        try writer.write(plain.span)
        return deliver(output(of: writer), to: reader, chunk: chunk)
    }

    func deliver(_ encrypted: [UInt8], to reader: TLSSession, chunk: Int = .max) -> (plain: [UInt8], end: TLSRead) {
        var plain: [UInt8] = []
        var end = reader.read(into: &plain)
        for part in pieces(encrypted, chunk) {
            reader.receive(part.span)
            end = reader.read(into: &plain)
        }
        return (plain, end)
    }

    func output(of session: TLSSession) -> [UInt8] {
        var bytes: [UInt8] = []
        session.takeOutput(into: &bytes)
        return bytes
    }

    private func pieces(_ bytes: [UInt8], _ size: Int) -> [[UInt8]] {
        var pieces: [[UInt8]] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            pieces.append(Array(rest.prefix(size)))
            rest = rest.dropFirst(size)
        }
        return pieces
    }
}
