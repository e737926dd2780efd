internal import CBellhopICU

/// Text on its way through ICU's functions, which take UTF-16 and write into a buffer.
enum ICUText {
    typealias Conversion = (
        _ input: UnsafePointer<UInt16>?, _ count: Int32, _ output: UnsafeMutablePointer<UInt16>?, _ capacity: Int32,
        _ error: UnsafeMutablePointer<UErrorCode>
    ) -> Int32

    /// Runs the conversion, a second time with the room that it asked for; nil with the error when it failed.
    static func convert(_ text: String, by conversion: Conversion) -> (text: String?, error: UErrorCode) {
        let input = Array(text.utf16)
        guard let count = Int32(exactly: input.count) else { return (nil, U_INDEX_OUTOFBOUNDS_ERROR) }
        var capacity = input.count + 32
        var error = U_ZERO_ERROR
        for _ in 0..<2 {
            error = U_ZERO_ERROR
            var needed: Int32 = 0
            let output = unsafe [UInt16](unsafeUninitializedCapacity: capacity) { buffer, initialized in
                unsafe input.withUnsafeBufferPointer { input in
                    unsafe needed = conversion(
                        input.baseAddress, count, buffer.baseAddress, Int32(clamping: capacity), &error)
                }
                initialized = min(max(0, Int(needed)), capacity)
            }
            if error.rawValue <= U_ZERO_ERROR.rawValue { return (String(decoding: output, as: UTF16.self), error) }
            guard error == U_BUFFER_OVERFLOW_ERROR else { break }
            capacity = Int(needed)
        }
        return (nil, error)
    }
}

extension Preparation {
    /// The text in Unicode's normalisation form C.
    static func normalizedNFC(_ text: String) throws(PreparationFault) -> String {
        let (normalized, error) = unsafe ICUText.convert(text) { input, count, output, capacity, error in
            unsafe bellhop_nfc(input, count, output, capacity, error)
        }
        guard let normalized else { throw .unavailable(error.rawValue) }
        return normalized
    }
}
