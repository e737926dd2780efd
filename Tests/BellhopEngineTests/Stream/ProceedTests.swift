import BellhopEngine
import BellhopXML
import BellhopXMPP
import Testing

/// The rule of `StreamNegotiation.Action.startTLS`, followed by a reader with a real parser.
@Suite("What is read together with <proceed/>")
struct ProceedTests {
    static let greeting = """
        <?xml version='1.0'?><stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams' \
        from='example.test' id='1' version='1.0'><stream:features>\
        <starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'><required/></starttls></stream:features>
        """
    static let proceed = "<proceed xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>"

    @Test("a read that ends with <proceed/> starts TLS, however it was cut")
    func clean() throws {
        #expect(try actions(of: [Self.greeting, Self.proceed]).last == .startTLS)
        for cut in Self.proceed.indices.dropFirst() {
            let reads = [Self.greeting, String(Self.proceed[..<cut]), String(Self.proceed[cut...])]
            #expect(try actions(of: reads).last == .startTLS)
        }
        #expect(
            try actions(of: [Self.greeting, "<proceed xmlns='urn:ietf:params:xml:ns:xmpp-tls'></proceed>"]).last
                == .startTLS)
    }

    @Test(
        "a single byte behind it, be it a blank or half an element, ends the connection",
        arguments: [
            " ", "\n", "<", "<x", "<success xmlns='urn:ietf:params:xml:ns:xmpp-sasl'/>", "<a><b/>", "\u{16}", ">",
        ])
    func injected(extra: String) throws {
        #expect(try actions(of: [Self.greeting, Self.proceed + extra]).last == .fail(.injectedBeforeTLS))
    }

    private func actions(of reads: [String]) throws -> [StreamNegotiation.Action] {
        var negotiation = StreamNegotiation(try plan())
        var actions = negotiation.handle(.connected(encrypted: false))
        let parser = StreamParser()
        for read in reads {
            var rest = Array(read.utf8)[...]
            while !rest.isEmpty {
                let end = rest.firstIndex(of: UInt8(ascii: ">")).map { $0 + 1 } ?? rest.endIndex
                var events: [StreamEvent] = []
                parser.feed(Array(rest[..<end]).span, into: &events)
                rest = rest[end...]
                for event in events { actions += negotiation.handle(.received(event)) }
                guard actions.last == .startTLS else { continue }
                if !rest.isEmpty { actions += negotiation.handle(.receivedBytesAfterProceed) }
                return actions
            }
        }
        return actions
    }
}
