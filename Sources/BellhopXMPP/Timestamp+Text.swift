/// The form that XMPP writes, `2026-01-02T03:04:05.678Z` (XEP-0082).
extension Timestamp: CustomStringConvertible {
    /// Reads a moment: years 0001 to 9999, the fraction optional and cut to milliseconds, `Z` or an offset; nil for
    /// everything else. A leap second is read as the first moment of the next minute.
    public init?(_ text: String) {
        guard let milliseconds = Timestamp.read(text.utf8.span) else { return nil }
        self.init(milliseconds: milliseconds)
    }

    /// In UTC, always with three decimals, so that texts sort as their moments do; a moment outside the years 0001 to
    /// 9999 is written as the nearest one inside.
    public var description: String {
        let inside = min(max(milliseconds, Timestamp.first), Timestamp.last) - Timestamp.first
        let (day, time) = inside.quotientAndRemainder(dividingBy: Timestamp.dayLength)
        let date = Timestamp.date(dayNumber: day)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(24)
        Timestamp.append(date.year, width: 4, to: &bytes)
        bytes.append(UInt8(ascii: "-"))
        Timestamp.append(date.month, width: 2, to: &bytes)
        bytes.append(UInt8(ascii: "-"))
        Timestamp.append(date.day, width: 2, to: &bytes)
        bytes.append(UInt8(ascii: "T"))
        Timestamp.append(time / 3_600_000, width: 2, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        Timestamp.append(time / 60_000 % 60, width: 2, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        Timestamp.append(time / 1000 % 60, width: 2, to: &bytes)
        bytes.append(UInt8(ascii: "."))
        Timestamp.append(time % 1000, width: 3, to: &bytes)
        bytes.append(UInt8(ascii: "Z"))
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let dayLength: Int64 = 86_400_000
    /// 0001-01-01T00:00:00.000Z.
    private static let first: Int64 = -719_162 * 86_400_000
    /// 9999-12-31T23:59:59.999Z.
    private static let last: Int64 = 2_932_897 * 86_400_000 - 1

    private static func read(_ text: Span<UInt8>) -> Int64? {
        guard let year = number(text, at: 0, width: 4), year > 0, text.count >= 20,
            text[4] == UInt8(ascii: "-"), let month = number(text, at: 5, width: 2), 1...12 ~= month,
            text[7] == UInt8(ascii: "-"), let day = number(text, at: 8, width: 2),
            1...monthLength(year: year, month: month) ~= day,
            text[10] == UInt8(ascii: "T"), let hour = number(text, at: 11, width: 2), hour < 24,
            text[13] == UInt8(ascii: ":"), let minute = number(text, at: 14, width: 2), minute < 60,
            text[16] == UInt8(ascii: ":"), let second = number(text, at: 17, width: 2), second <= 60
        else { return nil }
        var index = 19
        var thousandths: Int64 = 0
        if text[index] == UInt8(ascii: ".") {
            index += 1
            let fractionStart = index
            var unit: Int64 = 100
            while index < text.count, let digit = digit(text[index]) {
                thousandths += digit * unit
                unit /= 10
                index += 1
            }
            guard index > fractionStart else { return nil }
        }
        guard let offset = readOffset(text, at: index) else { return nil }
        let days = daysBefore(year: year) + daysBefore(month: month, in: year) + day - 1
        let seconds = hour * 3600 + (minute - offset) * 60 + second
        let milliseconds = first + days * dayLength + seconds * 1000 + thousandths
        return first...last ~= milliseconds ? milliseconds : nil
    }

    /// The offset from UTC in minutes, at most 14 hours; nothing may stand behind it.
    private static func readOffset(_ text: Span<UInt8>, at index: Int) -> Int64? {
        guard index < text.count else { return nil }
        if text[index] == UInt8(ascii: "Z") { return index + 1 == text.count ? 0 : nil }
        guard text[index] == UInt8(ascii: "+") || text[index] == UInt8(ascii: "-"), index + 6 == text.count,
            let hours = number(text, at: index + 1, width: 2), text[index + 3] == UInt8(ascii: ":"),
            let minutes = number(text, at: index + 4, width: 2), minutes < 60, hours * 60 + minutes <= 14 * 60
        else { return nil }
        return text[index] == UInt8(ascii: "-") ? -(hours * 60 + minutes) : hours * 60 + minutes
    }

    private static func number(_ text: Span<UInt8>, at start: Int, width: Int) -> Int64? {
        guard start + width <= text.count else { return nil }
        var value: Int64 = 0
        for index in start..<start + width {
            guard let digit = digit(text[index]) else { return nil }
            value = value * 10 + digit
        }
        return value
    }

    private static func digit(_ byte: UInt8) -> Int64? {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte ? Int64(byte - UInt8(ascii: "0")) : nil
    }

    private static func append(_ value: Int64, width: Int, to bytes: inout [UInt8]) {
        var unit: Int64 = 1
        for _ in 1..<width { unit *= 10 }
        while unit > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value / unit % 10))
            unit /= 10
        }
    }
}

/// The Gregorian calendar, days counted from 0001-01-01.
extension Timestamp {
    private static func isLeap(_ year: Int64) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    private static func monthLength(year: Int64, month: Int64) -> Int64 {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private static func daysBefore(year: Int64) -> Int64 {
        let full = year - 1
        return full * 365 + full / 4 - full / 100 + full / 400
    }

    private static func daysBefore(month: Int64, in year: Int64) -> Int64 {
        var days: Int64 = 0
        for earlier in 1..<month { days += monthLength(year: year, month: earlier) }
        return days
    }

    private static func date(dayNumber: Int64) -> (year: Int64, month: Int64, day: Int64) {
        // A year is at most a day longer than this one, so the guess is never far off.
        var year = dayNumber / 366 + 1
        while daysBefore(year: year + 1) <= dayNumber { year += 1 }
        var day = dayNumber - daysBefore(year: year)
        var month: Int64 = 1
        while day >= monthLength(year: year, month: month) {
            day -= monthLength(year: year, month: month)
            month += 1
        }
        return (year, month, day + 1)
    }
}
