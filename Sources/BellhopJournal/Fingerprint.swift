/// A keyed 64-bit hash of texts: fast, and nobody who does not know the key can make up two texts with the same one.
///
/// Folds 128-bit products, as wyhash does, over eight bytes at a time; lives only in this process, never in a file.
struct Fingerprint {
    /// Random, and made once for each run.
    struct Key {
        let start: UInt64
        let word: UInt64

        static func random() -> Key { Key(start: .random(in: .min ... .max), word: .random(in: .min ... .max)) }
    }

    private let key: Key
    private(set) var value: UInt64

    init(_ key: Key, _ number: UInt64) {
        self.key = key
        value = key.start
        add(number)
    }

    mutating func add(_ number: UInt64) {
        let product = (value ^ number).multipliedFullWidth(by: key.word ^ 0x9E37_79B9_7F4A_7C15)
        value = product.high ^ product.low ^ key.start.byteSwapped
    }

    /// Adds the bytes of a text as they are: texts that differ only in Unicode normalisation are different.
    mutating func add(_ text: String) {
        let bytes = text.utf8.span
        let count = bytes.count
        add(UInt64(count))
        var index = 0
        while index + 8 <= count {
            var word: UInt64 = 0
            for offset in 0..<8 { word |= UInt64(bytes[index + offset]) << UInt64(offset * 8) }
            add(word)
            index += 8
        }
        var rest: UInt64 = 0
        while index < count {
            rest = rest << 8 | UInt64(bytes[index])
            index += 1
        }
        add(rest)
    }
}
