internal import BellhopTestServer

/// What goes wrong by hand.
extension WireStage {
    /// Lets something go wrong now.
    public func inflict(_ fault: Fault) {
        service.host { host, moment in host.inflict(fault, at: moment) }
    }

    /// The connection is gone, without a word.
    public func cut() { inflict(.cut) }

    /// The server ends the stream.
    public func close() { inflict(.close) }

    /// Nothing goes through the connection until `resume`.
    public func stall() { inflict(.stall(nil)) }

    /// The server stands still until `resume`.
    public func freeze() { inflict(.freeze(nil)) }

    /// The server takes no connection until `resume`.
    public func refuse() { inflict(.refuse(nil)) }

    /// Ends what `stall`, `freeze` and `refuse` began.
    public func resume() {
        service.host { host, moment in host.resume(at: moment) }
    }

    /// The faults of the plan that have come so far.
    public var inflicted: [FaultPlan.Step] {
        service.host { host, _ in host.inflicted }
    }

    /// How many stanzas have passed the server so far, both directions.
    public var stanzaCount: Int {
        service.host { host, _ in host.stanzaCount }
    }

    /// How often the bot has bound a new session, and how often it has taken up an old one (XEP-0198).
    public var sessions: (bound: Int, resumed: Int) {
        service.host { host, _ in (host.server.counts.binds, host.server.counts.resumptions) }
    }
}
