/// A moment as a calendar shows it, at a fixed distance from UTC (proleptic Gregorian calendar).
package struct CivilTime: Equatable, Sendable {
    package let year: Int
    package let month: Int
    package let day: Int
    package let hour: Int
    package let minute: Int
    package let second: Int
    package let millisecond: Int
    /// Seconds east of UTC.
    package let offset: Int

    /// Takes milliseconds since 1970-01-01T00:00:00Z and the distance of the wall clock from UTC in seconds.
    package init(milliseconds: Int64, offset: Int = 0) {
        let (whole, thousandths) = Self.floorDivision(milliseconds, 1000)
        let (days, rest) = Self.floorDivision(whole + Int64(offset), 86_400)
        // Days are counted from 0000-03-01, so that the leap day ends a year; an era is 400 years or 146,097 days.
        let (era, dayOfEra) = Self.floorDivision(days + 719_468, 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = Int(dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
        month = Int(shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9)
        year = Int(era * 400 + yearOfEra + (shiftedMonth < 10 ? 0 : 1))
        hour = Int(rest / 3600)
        minute = Int(rest % 3600 / 60)
        second = Int(rest % 60)
        millisecond = Int(thousandths)
        self.offset = offset
    }

    /// `2026-11-30T02:31:00.123Z`, or with the offset in place of the `Z`.
    package var iso8601: String {
        "\(date)T\(time).\(Self.padded(millisecond, 3))\(offset == 0 ? "Z" : offsetText)"
    }

    /// `2026-11-30`.
    package var date: String { "\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(day, 2))" }

    /// `02:31:00`.
    package var time: String { "\(Self.padded(hour, 2)):\(Self.padded(minute, 2)):\(Self.padded(second, 2))" }

    /// `+01:00`.
    package var offsetText: String {
        let minutes = abs(offset) / 60
        return "\(offset < 0 ? "-" : "+")\(Self.padded(minutes / 60, 2)):\(Self.padded(minutes % 60, 2))"
    }

    private static func floorDivision(_ a: Int64, _ b: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = a.quotientAndRemainder(dividingBy: b)
        return remainder < 0 ? (quotient - 1, remainder + b) : (quotient, remainder)
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(abs(number))
        let zeros = String(repeating: "0", count: max(0, width - digits.utf8.count))
        return (number < 0 ? "-" : "") + zeros + digits
    }
}
