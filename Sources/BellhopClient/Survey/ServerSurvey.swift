package import BellhopTransport
internal import BellhopXMPP

/// Looks for all places where the account's server may be, and at each of them; blocks, and logs in nowhere.
package struct ServerSurvey {
    private let settings: AccountSettings

    /// What was found, in this order: one of the first two, then each place.
    package enum Finding: Equatable, Sendable {
        /// The configuration says where the server is, or the domain is an address: no name server was asked for it.
        case named(ServerTarget)
        /// What the name servers say, and to where that leads.
        case lookup(ServiceLookup, ServiceLookup.Plan)
        /// The addresses of a host, or why it has none.
        case host(String, Result<[String], TransportError>)
        case place(PlaceReport)
    }

    /// More places than that take longer than anybody waits.
    private static let mostPlaces = 8

    package init(_ settings: AccountSettings) { self.settings = settings }

    /// Tells each finding as it is made.
    package func run(_ found: (Finding) -> Void) {
        let targets: [ServerTarget]
        switch settings.firstStep {
        case .target(let target):
            found(.named(target))
            targets = [target]
        case .lookup(let domain):
            let lookup = settings.resolver.services(of: domain, until: MonotonicClock.now() + settings.timeout)
            // Of equal places the one with most weight first, since this is to be the same each time.
            let plan = lookup.plan { $0 }
            found(.lookup(lookup, plan))
            switch plan {
            case .targets(let list): targets = Array(list.prefix(Self.mostPlaces))
            case .domainItself: targets = [ServerTarget(Endpoint(host: domain, port: 5222))]
            case .notOffered, .unknown: targets = []
            }
        }
        var hosts: Set<String> = []
        var lost: Set<String> = []
        for host in targets.map(\.endpoint.inASCII.host)
        where !Endpoint.isNumeric(host) && hosts.insert(host).inserted {
            let addresses = addresses(of: host)
            if case .failure = addresses { lost.insert(host) }
            found(.host(host, addresses))
        }
        for target in targets where !lost.contains(target.endpoint.inASCII.host) {
            found(.place(ServerProbe.look(at: target, settings)))
        }
    }

    private func addresses(of host: String) -> Result<[String], TransportError> {
        do throws(TransportError) {
            return .success(
                try settings.resolver.addressTexts(of: host, until: MonotonicClock.now() + settings.timeout))
        } catch {
            return .failure(error)
        }
    }
}
