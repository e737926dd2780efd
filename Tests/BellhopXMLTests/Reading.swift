import BellhopXML

/// How the tests feed a parser and look at what came out.
enum Reading {
    static let header =
        "<?xml version='1.0'?><stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams' "
        + "from='example.test' id='s1' version='1.0'>"

    /// The events of these bytes, each piece fed for itself.
    static func events(_ pieces: [[UInt8]], limits: ParserLimits = ParserLimits()) -> [StreamEvent] {
        let parser = StreamParser(limits: limits)
        var events: [StreamEvent] = []
        for piece in pieces { parser.feed(piece.span, into: &events) }
        return events
    }

    static func events(_ xml: String, limits: ParserLimits = ParserLimits()) -> [StreamEvent] {
        events([Array(xml.utf8)], limits: limits)
    }

    /// The events of what comes behind the usual stream header, the header's own left out.
    static func inStream(_ xml: String, limits: ParserLimits = ParserLimits()) -> [StreamEvent] {
        Array(events([Array(header.utf8), Array(xml.utf8)], limits: limits).dropFirst())
    }

    static func inStream(_ bytes: [UInt8], limits: ParserLimits = ParserLimits()) -> [StreamEvent] {
        Array(events([Array(header.utf8), bytes], limits: limits).dropFirst())
    }
}

extension [StreamEvent] {
    var elements: [BellhopXML.Element] {
        compactMap { event -> BellhopXML.Element? in
            if case .element(let element) = event { element } else { nil }
        }
    }

    /// The fault at the end; nil when the stream is still good.
    var fault: StreamFault? {
        if case .failed(let fault)? = last { fault } else { nil }
    }

    /// The name of the fault, to compare without sentence and line.
    var faultName: String? {
        switch fault {
        case nil: nil
        case .notWellFormed: "not-well-formed"
        case .restrictedXML: "restricted-xml"
        case .policyViolation: "policy-violation"
        case .unsupportedEncoding: "unsupported-encoding"
        }
    }
}
