internal import CBellhopICU

/// Which characters may be in an identifier (RFC 8264 sections 4.2 and 8), with the places where some of them may be
/// (RFC 5892 appendix A).
enum IdentifierClass {
    private enum Verdict {
        case valid, disallowed
        /// Valid where its context rule holds.
        case contextual
    }

    /// Throws the first character that may not be there.
    static func check(_ scalars: [Unicode.Scalar]) throws(PreparationFault) {
        var rules: ContextRules?
        for (index, scalar) in scalars.enumerated() {
            switch verdict(on: scalar) {
            case .valid: continue
            case .disallowed: throw .forbidden(scalar)
            case .contextual:
                let context = rules ?? ContextRules(scalars)
                rules = context
                guard context.allow(at: index) else { throw .forbidden(scalar) }
            }
        }
    }

    private static func verdict(on scalar: Unicode.Scalar) -> Verdict {
        if let exception = exception(for: scalar) { return exception }
        let codePoint = scalar.codePoint
        if bellhop_is_unassigned(codePoint) { return .disallowed }
        if scalar.value > 0x20 && scalar.value < 0x7f { return .valid }
        if bellhop_is_join_control(codePoint) { return .contextual }
        if bellhop_is_old_hangul_jamo(codePoint) || bellhop_is_ignorable(codePoint)
            || bellhop_is_noncharacter(codePoint)
            || bellhop_is_control(codePoint) || bellhop_has_compatibility_mapping(codePoint)
        {
            return .disallowed
        }
        return bellhop_is_letter_or_digit(codePoint) ? .valid : .disallowed
    }

    /// RFC 8264 section 9.6, taken over from RFC 5892.
    private static func exception(for scalar: Unicode.Scalar) -> Verdict? {
        switch scalar.value {
        case 0x00df, 0x03c2, 0x06fd, 0x06fe, 0x0f0b, 0x3007: .valid
        case 0x00b7, 0x0375, 0x05f3, 0x05f4, 0x30fb, 0x0660...0x0669, 0x06f0...0x06f9: .contextual
        case 0x0640, 0x07fa, 0x302e, 0x302f, 0x3031...0x3035, 0x303b: .disallowed
        default: nil
        }
    }
}
