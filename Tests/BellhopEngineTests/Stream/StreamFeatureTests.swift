import Testing

@testable import BellhopEngine

@Suite("The order of a login")
struct StreamFeatureTests {
    @Test("whatever is offered, no password may be written before the stream is confidential")
    func confidential() {
        for raw in UInt8.min..<128 {
            let conditions = StreamConditions(rawValue: raw)
            let step = StreamFeature.next(everything, conditions)
            if !conditions.contains(.confidential) {
                #expect(step != .sasl && step != .registration && step != .bind && step != .resumption, "\(raw)")
            }
            if conditions.contains(.authenticated) {
                #expect(step != .sasl && step != .startTLS && step != .registration)
            }
            if conditions.contains(.encrypted) { #expect(step != .startTLS) }
        }
    }

    @Test("a login goes through its steps in order, each once", arguments: [false, true])
    func order(isResumable: Bool) {
        var conditions: StreamConditions = isResumable ? [.resumable] : []
        var steps: [StreamFeature.Step] = []
        for _ in 0..<7 {
            guard let step = StreamFeature.next(everything, conditions) else { break }
            steps.append(step)
            switch step {
            case .startTLS: conditions.formUnion([.encrypted, .confidential])
            case .sasl: conditions.insert(.authenticated)
            case .resumption: conditions.remove(.resumable)
            case .bind: conditions.insert(.bound)
            case .session: conditions.insert(.established)
            case .registration, .online: break
            }
            if step == .online { break }
        }
        #expect(steps == [.startTLS, .sasl] + (isResumable ? [.resumption] : []) + [.bind, .session, .online])
    }

    private var everything: ServerFeatures {
        var features = ServerFeatures()
        features.startTLS = .required
        features.mechanisms = ["SCRAM-SHA-1"]
        features.bind = true
        features.streamManagement = true
        features.session = .required
        return features
    }
}
