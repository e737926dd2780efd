import Testing

@testable import BellhopEngine

@Suite("The order of a login")
struct StreamFeatureTests {
    @Test("whatever is offered, no password may be written before the stream is confidential")
    func confidential() {
        for raw in UInt16.min..<512 {
            let conditions = StreamConditions(rawValue: raw)
            let step = StreamFeature.next(everything, conditions)
            if !conditions.contains(.confidential) {
                #expect(step != .sasl && step != .registration && step != .bind && step != .resumption, "\(raw)")
                #expect(step != .legacyLogin, "\(raw)")
            }
            if conditions.contains(.authenticated) {
                #expect(step != .sasl && step != .legacyLogin && step != .startTLS && step != .registration)
            }
            if conditions.contains(.capable) || !conditions.contains(.legacyAllowed) { #expect(step != .legacyLogin) }
            if conditions.contains(.encrypted) { #expect(step != .startTLS) }
        }
    }

    @Test(
        "a login goes through its steps in order, each once, and the old one stands in only where no mechanism can be used",
        arguments: [false, true], [false, true])
    func order(isResumable: Bool, isCapable: Bool) {
        var conditions: StreamConditions = isResumable ? [.resumable, .legacyAllowed] : [.legacyAllowed]
        if isCapable { conditions.insert(.capable) }
        var steps: [StreamFeature.Step] = []
        for _ in 0..<7 {
            guard let step = StreamFeature.next(everything, conditions) else { break }
            steps.append(step)
            switch step {
            case .startTLS: conditions.formUnion([.encrypted, .confidential])
            case .sasl, .legacyLogin: conditions.insert(.authenticated)
            case .resumption: conditions.remove(.resumable)
            case .bind: conditions.insert(.bound)
            case .session: conditions.insert(.established)
            case .registration, .online: break
            }
            if step == .online { break }
        }
        let login: StreamFeature.Step = isCapable ? .sasl : .legacyLogin
        #expect(steps == [.startTLS, login] + (isResumable ? [.resumption] : []) + [.bind, .session, .online])
    }

    private var everything: ServerFeatures {
        var features = ServerFeatures()
        features.startTLS = .required
        features.mechanisms = ["SCRAM-SHA-1"]
        features.legacyLogin = true
        features.bind = true
        features.streamManagement = true
        features.session = .required
        return features
    }
}
