/// Signatures by minute as bars, with their numbers beside them. Coordinates are percentages, so that text keeps its size.
struct SignatureChart {
    private static let minutesPerRow = 10
    private static let maxSteps = 4

    /// The signatures of each minute, oldest first.
    let minutes: [Int]
    /// The last of the minutes, counted since 1970.
    let last: Int64

    private var first: Int64 { last - Int64(minutes.count) + 1 }
    private var total: Int { minutes.reduce(0, +) }

    /// The values for the template.
    var values: [String: Any] {
        let highest = minutes.max() ?? 0
        let step = Self.step(for: highest)
        let top = max(1, (highest + step - 1) / step) * step
        return [
            "isEmpty": total == 0, "total": ConsoleTime.count(total, "signature"), "average": Self.tenths(total, minutes.count),
            "highest": ConsoleTime.number(highest),
            "lines": (0...top / step).map { number -> [String: Any] in
                [
                    "y": ConsoleTime.percent(top - number * step, of: top), "value": ConsoleTime.number(number * step),
                    "isAxis": number == 0,
                ]
            },
            "bars": minutes.enumerated().map { index, count in
                [
                    "x": ConsoleTime.percent(index * 100 + 13, of: minutes.count * 100),
                    "width": ConsoleTime.percent(74, of: minutes.count * 100),
                    "y": ConsoleTime.percent(top - count, of: top), "height": ConsoleTime.percent(count, of: top),
                ]
            },
            "labels": (0...4).map { quarter in
                [
                    "x": ConsoleTime.percent(quarter, of: 4), "anchor": quarter == 0 ? "start" : quarter == 4 ? "end" : "middle",
                    "text": Self.clock(quarter == 4 ? last : first + Int64(minutes.count * quarter / 4)),
                ]
            },
            "rows": stride(from: 0, to: minutes.count, by: Self.minutesPerRow).map { start -> [String: Any] in
                let part = minutes[start..<min(start + Self.minutesPerRow, minutes.count)]
                let sum = part.reduce(0, +)
                return [
                    "range": "\(Self.clock(first + Int64(start))) to \(Self.clock(first + Int64(part.endIndex)))",
                    "count": ConsoleTime.number(sum), "perMinute": Self.tenths(sum, part.count),
                ]
            },
        ]
    }

    /// Returns 1, 2 or 5 times a power of ten, of which a few steps reach `highest`.
    private static func step(for highest: Int) -> Int {
        var power = 1
        while true {
            for step in [power, 2 * power, 5 * power] where step * maxSteps >= highest { return step }
            power *= 10
        }
    }

    private static func tenths(_ sum: Int, _ count: Int) -> String {
        let tenths = (sum * 10 + count / 2) / max(1, count)
        return "\(ConsoleTime.number(tenths / 10)).\(tenths % 10)"
    }

    /// Returns the time of a minute in UTC: `14:05`.
    private static func clock(_ minute: Int64) -> String {
        let (hours, minutes) = (minute / 60 % 24, minute % 60)
        return "\(hours < 10 ? "0" : "")\(hours):\(minutes < 10 ? "0" : "")\(minutes)"
    }
}
