internal import BellhopDiagnostics

/// A finding as one JSON object.
extension Finding {
    var json: String {
        JSONText.object([
            ("check", JSONText.string(check.rawValue)), ("verdict", JSONText.string(verdict.rawValue)),
            ("what", JSONText.string(what)), ("advice", advice.map(JSONText.string) ?? "null"),
        ])
    }

    init(json value: JSONValue) throws(JSONFields.Fault) {
        var fields = try JSONFields(value)
        guard let check = DoctorCheck(rawValue: try fields.string("check")),
            let verdict = Verdict(rawValue: try fields.string("verdict"))
        else { throw JSONFields.Fault("there is no such check or verdict") }
        self.init(check, verdict, try fields.string("what"), advice: try fields.optionalString("advice"))
        try fields.end()
    }
}
