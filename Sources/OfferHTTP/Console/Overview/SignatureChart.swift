/// The signatures of each minute as a chart of bars, with a table of the numbers.
///
/// Coordinates are percentages, so that a change of the chart's width does not change the size of its text.
struct SignatureChart: TemplateView {
    /// A horizontal line of the scale, with its number.
    struct Line: TemplateView {
        let y: String
        let value: String
        let isAxis: Bool
    }

    /// The signatures of one minute.
    struct Bar: TemplateView {
        let x: String
        let width: String
        let y: String
        let height: String
    }

    /// A time below the chart.
    struct Label: TemplateView {
        let x: String
        /// Which part of the text is at `x`: its `start`, `middle` or `end`.
        let anchor: String
        let text: String
    }

    /// A row of the table of numbers. It is about ten minutes.
    struct Row: TemplateView {
        let range: String
        let count: String
        let perMinute: String
    }

    private static let minutesPerRow = 10
    private static let maxSteps = 4

    let isEmpty: Bool
    let total: String
    /// The average number of signatures in a minute.
    let average: String
    /// The number of signatures in the busiest minute.
    let highest: String
    let lines: [Line]
    let bars: [Bar]
    let labels: [Label]
    let rows: [Row]

    /// - Parameters:
    ///   - minutes: the number of signatures in each minute, oldest first.
    ///   - last: the last of the minutes, as the number of minutes since 1970.
    init(minutes: [Int], last: Int64) {
        let sum = minutes.reduce(0, +)
        isEmpty = sum == 0
        total = ConsoleTime.count(sum, "signature")
        average = Self.tenths(sum, minutes.count)
        let most = minutes.max() ?? 0
        highest = ConsoleTime.number(most)
        let step = Self.step(for: most)
        let top = max(1, (most + step - 1) / step) * step
        lines = (0...top / step).map { number in
            Line(
                y: ConsoleTime.percent(top - number * step, of: top), value: ConsoleTime.number(number * step),
                isAxis: number == 0)
        }
        bars = minutes.enumerated().map { index, count in
            Bar(
                x: ConsoleTime.percent(index * 100 + 13, of: minutes.count * 100),
                width: ConsoleTime.percent(74, of: minutes.count * 100),
                y: ConsoleTime.percent(top - count, of: top), height: ConsoleTime.percent(count, of: top))
        }
        let first = last - Int64(minutes.count) + 1
        labels = (0...4).map { quarter in
            Label(
                x: ConsoleTime.percent(quarter, of: 4), anchor: quarter == 0 ? "start" : quarter == 4 ? "end" : "middle",
                text: Self.clock(quarter == 4 ? last : first + Int64(minutes.count * quarter / 4)))
        }
        rows = Self.rows(minutes, first)
    }

    private static func rows(_ minutes: [Int], _ first: Int64) -> [Row] {
        stride(from: 0, to: minutes.count, by: minutesPerRow).map { start in
            let part = minutes[start..<min(start + minutesPerRow, minutes.count)]
            let sum = part.reduce(0, +)
            return Row(
                range: "\(clock(first + Int64(start))) to \(clock(first + Int64(part.endIndex)))",
                count: ConsoleTime.number(sum), perMinute: tenths(sum, part.count))
        }
    }

    /// Returns the distance between the lines of the scale: 1, 2 or 5 times a power of ten, of which at most `maxSteps` reach
    /// `highest`.
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
