import EligibilityRules

/// A chart of the difference between each variant and the control, day by day.
///
/// Coordinates are percentages, so that a change of the chart's width does not change the size of its text.
struct BandChart: TemplateView {
    /// A horizontal line of the scale.
    struct Step: TemplateView {
        let isZero: Bool
        let y: String
        let label: String
    }

    /// A variant's band or curve.
    struct Path: TemplateView {
        /// The CSS class of the variant's colour.
        let `class`: String
        let path: String
    }

    /// The end of a variant's curve.
    struct End: TemplateView {
        let `class`: String
        let y: String
        /// The position of the label.
        ///
        /// It may differ from `y`, because labels are moved apart so that they do not overlap.
        let label: String
        let name: String
        let value: String
    }

    /// A day below the drawing.
    struct Day: TemplateView {
        /// Whether a narrow screen leaves the day out.
        let isOptional: Bool
        let x: String
        let anchor: String
        let text: String
    }

    private static let maxLabels = 4
    private static let maxName = 10
    /// The least distance between two labels, as a percentage of the height.
    private static let labelHeight = 13.0

    /// The first and the last day of the drawing.
    let range: String
    /// What the drawing shows, in words.
    let subject: String
    /// The sentences that say what the drawing shows.
    let finding: String
    let steps: [Step]
    let bands: [Path]
    let curves: [Path]
    let ends: [End]
    let days: [Day]
    let table: BandTable

    /// Returns nil if there are fewer than two days, which cannot be drawn.
    ///
    /// - Parameters:
    ///   - measure: what the bands are about.
    ///   - names: the names of the variants, in the order of the experiment's plan.
    init?(_ bands: [DifferenceBand], _ measure: ExperimentMeasure, names: [String], time: ConsoleTime) {
        guard let scale = BandScale(bands, measure) else { return nil }
        subject =
            measure == .conversion
            ? "In points: how many more of 100 customers reach the goal."
            : "In \(FigureText.unit(of: measure)): how much more a customer pays."
        range = "\(Self.day(scale.first, time)) to \(Self.day(scale.last, time))"
        finding = bands.map { Self.finding($0, measure, names[$0.variant], time) }.joined(separator: " ")
        steps = (0...scale.count).map { Self.step($0, scale, measure) }
        self.bands = bands.map { Path(class: SplitBar.style($0.variant), path: scale.outline($0)) }
        curves = bands.map { Path(class: SplitBar.style($0.variant), path: scale.curve($0)) }
        ends = Self.ends(bands, measure, names, scale)
        days = Self.days(scale, time)
        table = BandTable(bands, measure, names: names, time: time)
    }

    /// Returns the sentences that say what a variant's band shows.
    private static func finding(
        _ band: DifferenceBand, _ measure: ExperimentMeasure, _ name: String, _ time: ConsoleTime
    ) -> String {
        let end = band.points.last!
        let value = "\(FigureText.difference(end.value, measure)) \(FigureText.unit(of: measure))"
        let now = "\(name): \(value), \(FigureText.between(end.interval, .difference(of: measure)))."
        guard let since = band.decidedSince else { return "\(now) The band still holds 0." }
        return "\(now) Wholly \(end.interval.isAboveZero ? "above" : "below") 0 since \(day(since, time))."
    }

    private static func step(_ number: Int, _ scale: BandScale, _ measure: ExperimentMeasure) -> Step {
        let value = scale.bottom + Double(number) * scale.step
        let isZero = abs(value) < scale.step / 2
        return Step(
            isZero: isZero, y: BandScale.percent(scale.y(value)),
            label: isZero ? "0" : FigureText.difference(value, measure).replacing(/\.0+$/, with: ""))
    }

    private static func ends(
        _ bands: [DifferenceBand], _ measure: ExperimentMeasure, _ names: [String], _ scale: BandScale
    ) -> [End] {
        let sorted = bands.sorted { $0.points.last!.value > $1.points.last!.value }
        let ends = sorted.map { scale.y($0.points.last!.value) }
        return zip(sorted, zip(ends, apart(ends))).map { band, places in
            let name = names[band.variant]
            return End(
                class: SplitBar.style(band.variant), y: BandScale.percent(places.0), label: BandScale.percent(places.1),
                name: name.count > maxName ? "\(name.prefix(maxName - 1))…" : name,
                value: FigureText.difference(band.points.last!.value, measure))
        }
    }

    /// Returns the positions of labels for curves that end at these places, from top to bottom.
    ///
    /// The labels do not overlap, and stay inside the drawing.
    static func apart(_ places: [Double]) -> [Double] {
        let half = labelHeight / 2
        var labels: [Double] = []
        for place in places { labels.append(max(place, (labels.last ?? half - labelHeight) + labelHeight)) }
        var limit = 100 - half
        for index in labels.indices.reversed() {
            labels[index] = min(labels[index], limit)
            limit = labels[index] - labelHeight
        }
        return labels
    }

    private static func days(_ scale: BandScale, _ time: ConsoleTime) -> [Day] {
        let span = scale.last.milliseconds(since: scale.first)
        let count = min(maxLabels, Int(span / 86_400_000) + 1)
        return (0..<count).map { number in
            let instant = scale.first.advanced(by: span * Int64(number) / Int64(max(1, count - 1)))
            return Day(
                isOptional: number % 3 != 0, x: BandScale.percent(scale.x(instant)),
                anchor: number == 0 ? "start" : number == count - 1 ? "end" : "middle", text: day(instant, time))
        }
    }

    /// Returns the day that ends at an instant: `21 Nov`.
    static func day(_ instant: Instant, _ time: ConsoleTime) -> String { time.day(instant.advanced(by: -1)) }
}

/// The numbers of the chart as a table.
struct BandTable: TemplateView {
    struct Row: TemplateView {
        let day: String
        let cells: [Cell]
    }

    /// The difference between a variant and the control on one day.
    struct Cell: TemplateView {
        let value: String
        let range: String
    }

    private static let maxRows = 14

    /// The names of the variants.
    let columns: [String]
    let rows: [Row]

    /// Creates the table of the same bands as the chart.
    init(_ bands: [DifferenceBand], _ measure: ExperimentMeasure, names: [String], time: ConsoleTime) {
        let days = Array(Set(bands.flatMap { $0.points.map(\.until) })).sorted()
        let shown = days.indices.filter { index in
            days.count <= Self.maxRows
                || Set((0..<Self.maxRows).map { $0 * (days.count - 1) / (Self.maxRows - 1) }).contains(index)
        }
        columns = bands.map { names[$0.variant] }
        rows = shown.map { index in
            Row(day: BandChart.day(days[index], time), cells: bands.map { Self.cell($0, measure, days[index]) })
        }
    }

    private static func cell(_ band: DifferenceBand, _ measure: ExperimentMeasure, _ day: Instant) -> Cell {
        guard let point = band.points.first(where: { $0.until == day }) else { return Cell(value: "–", range: "") }
        return Cell(
            value: FigureText.difference(point.value, measure),
            range: "\(FigureText.range(point.interval, .difference(of: measure))), \(ConsoleTime.count(point.units, "customer"))")
    }
}
