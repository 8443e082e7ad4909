import EligibilityRules

/// The scale of the chart of differences by day.
///
/// It converts days to percentages of the width, and differences to percentages of the height.
struct BandScale {
    private static let maxSteps = 6

    let first: Instant
    let last: Instant
    /// The distance between two horizontal lines, as a share.
    let step: Double
    private let top: Double
    let bottom: Double

    /// Returns nil if there are fewer than two days, which cannot be drawn.
    init?(_ bands: [DifferenceBand], _ measure: ExperimentMeasure) {
        let days = bands.flatMap { $0.points.map(\.until) }
        guard let first = days.min(), let last = days.max(), first < last else { return nil }
        (self.first, self.last) = (first, last)
        // The scale is chosen for the later half of the days. In the first days the bands are so wide that a scale for them would
        // make everything else flat.
        let middle = first.advanced(by: last.milliseconds(since: first) / 2)
        let later = bands.flatMap { $0.points.filter { $0.until >= middle } }
        // Half a point, or five cents.
        let least = measure == .conversion ? 0.005 : 0.05
        let high = max(least, later.map(\.interval.high).max() ?? 0)
        let low = min(-least, later.map(\.interval.low).min() ?? 0)
        step = Self.step(for: high - low, from: least / 5)
        top = (high / step).rounded(.up) * step
        bottom = (low / step).rounded(.down) * step
    }

    /// The number of steps between horizontal lines, from the bottom to the top.
    var count: Int { Int(((top - bottom) / step).rounded()) }

    /// Returns the position of an instant, as a percentage of the width.
    func x(_ instant: Instant) -> Double {
        100 * Double(instant.milliseconds(since: first)) / Double(last.milliseconds(since: first))
    }

    /// Returns the position of a difference, as a percentage of the height from the top.
    ///
    /// A difference outside of the scale is shown at its edge.
    func y(_ value: Double) -> Double { 100 * (top - min(top, max(bottom, value))) / (top - bottom) }

    /// Returns the path of the outline of a band, which is the interval of the difference on each day.
    func outline(_ band: DifferenceBand) -> String {
        let up = band.points.map { "\(Self.text(x($0.until))),\(Self.text(y($0.interval.high)))" }
        let down = band.points.reversed().map { "\(Self.text(x($0.until))),\(Self.text(y($0.interval.low)))" }
        return "M" + (up + down).joined(separator: " ") + "Z"
    }

    /// Returns the path of a band's curve, which is the difference on each day.
    func curve(_ band: DifferenceBand) -> String {
        "M" + band.points.map { "\(Self.text(x($0.until))),\(Self.text(y($0.value)))" }.joined(separator: " ")
    }

    /// Returns a position in the form of an attribute: `4.65%`.
    static func percent(_ place: Double) -> String { "\(text(place))%" }

    /// Returns a number with two decimals.
    private static func text(_ number: Double) -> String {
        let hundredths = Int((number * 100).rounded())
        return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
    }

    /// Returns the distance between the lines of the scale: 1, 2 or 5 times a power of ten, so large that the chart has only few
    /// lines.
    ///
    /// - Parameter least: the least distance.
    private static func step(for span: Double, from least: Double) -> Double {
        var power = least
        while true {
            for step in [power, 2 * power, 5 * power] where step * Double(maxSteps) >= span { return step }
            power *= 10
        }
    }
}
