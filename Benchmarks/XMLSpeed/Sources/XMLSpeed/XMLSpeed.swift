import BellhopXML
import Glibc

/// Prints how long reading and writing one message takes: `swift run -c release --package-path Benchmarks/XMLSpeed`.
@main struct XMLSpeed {
    static func main() {
        let header = "<s:stream xmlns='jabber:client' xmlns:s='http://etherx.jabber.org/streams' version='1.0'>"
        print("nanoseconds of CPU for each message, best of 7 runs")
        for (name, message) in messages {
            let header = Array(header.utf8)
            let batch = Array(String(repeating: message, count: 50).utf8)
            let reading = best { rounds in
                let parser = StreamParser()
                var events: [StreamEvent] = []
                parser.feed(header.span, into: &events)
                for _ in 0..<rounds {
                    parser.feed(batch.span, into: &events)
                    guard events.count >= 50 else { fatalError("lost a message: \(events)") }
                    events.removeAll(keepingCapacity: true)
                }
            }
            guard let element = try? Element.parse("<a xmlns='jabber:client'>\(message)</a>").children.first else {
                fatalError("the sample is no element")
            }
            var writer = XMLWriter(stream: "jabber:client")
            let writing = best { rounds in
                for _ in 0..<rounds {
                    for _ in 0..<50 { writer.write(element) }
                    guard writer.bytes.count > 50 else { fatalError("wrote nothing") }
                    writer.removeAll()
                }
            }
            print("\(name): read \(reading), write tree \(writing), \(message.utf8.count) bytes")
        }
        var writer = XMLWriter(stream: "jabber:client")
        let streaming = best { rounds in
            for _ in 0..<rounds {
                for _ in 0..<50 {
                    writer.open("message", "jabber:client")
                    writer.attribute("to", "opsbot@bots.example.test/main")
                    writer.attribute("type", "chat")
                    writer.attribute("id", "5f0c2b1a-77")
                    writer.element("body", "jabber:client", text: "!echo hello there, how are you today?")
                    writer.close()
                }
                writer.removeAll()
            }
        }
        print("plain: write without a tree \(streaming)")
    }

    static let plain =
        "<message from='alice@example.test/phone' to='opsbot@bots.example.test/main' type='chat' id='5f0c2b1a-77'>"
        + "<body>!echo hello there, how are you today?</body></message>"

    static let messages = [
        ("plain", plain),
        (
            "rich",
            "<message from='alice@example.test/phone' to='opsbot@bots.example.test/main' type='chat' id='5f0c2b1a-77'>"
                + "<body>!echo it&apos;s 5 &gt; 4 &amp; 密👍é</body><active xmlns='http://jabber.org/protocol/chatstates'/>"
                + "<origin-id xmlns='urn:xmpp:sid:0' id='5f0c2b1a-77'/><request xmlns='urn:xmpp:receipts'/></message>"
        ),
        (
            "2 KB",
            "<message from='alice@example.test/phone' to='opsbot@bots.example.test/main' type='chat' id='5f0c2b1a-77'>"
                + "<body>!echo \(String(repeating: "The quick brown fox jumps over it. ", count: 57))</body></message>"
        ),
    ]

    /// Nanoseconds of CPU for one message, in the best of seven runs of 2,000 batches of 50.
    static func best(_ run: (Int) -> Void) -> Int {
        run(200)
        var best = Int.max
        for _ in 0..<7 {
            let start = cpuTime()
            run(2_000)
            best = min(best, (cpuTime() - start) / 100_000)
        }
        return best
    }

    static func cpuTime() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}
