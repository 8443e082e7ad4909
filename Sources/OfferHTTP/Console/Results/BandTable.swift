import EligibilityRules

/// The numbers of the chart of differences by day.
struct BandTable: TemplateView {
    /// A day.
    struct Row: TemplateView {
        let day: String
        let cells: [Cell]
    }

    /// The difference of a variant.
    struct Cell: TemplateView {
        let value: String
        let range: String
    }

    private static let maxRows = 14

    /// The names of the variants.
    let columns: [String]
    let rows: [Row]

    /// Creates the table of the same bands as the chart.
    init(_ bands: [DifferenceBand], names: [String], time: ConsoleTime) {
        let days = Array(Set(bands.flatMap { $0.points.map(\.until) })).sorted()
        let shown = days.indices.filter { index in
            days.count <= Self.maxRows
                || Set((0..<Self.maxRows).map { $0 * (days.count - 1) / (Self.maxRows - 1) }).contains(index)
        }
        columns = bands.map { names[$0.variant] }
        rows = shown.map { index in
            Row(day: BandChart.day(days[index], time), cells: bands.map { Self.cell($0, days[index]) })
        }
    }

    private static func cell(_ band: DifferenceBand, _ day: Instant) -> Cell {
        guard let point = band.points.first(where: { $0.until == day }) else { return Cell(value: "–", range: "") }
        return Cell(
            value: FigureText.points(point.value),
            range: "\(FigureText.range(point.interval, .points)), \(ConsoleTime.count(point.units, "customer"))")
    }
}
