import EligibilityRules

/// The table of revenue: what each variant's customers paid within the window, and within 30 and 90 days.
struct RevenueView: TemplateView {
    /// The revenue in one currency.
    struct Figure: TemplateView {
        let total: String
        let perExposed: String
        let difference: String?
    }

    /// The revenue within a certain time after a customer's first exposure.
    struct Cell: TemplateView {
        let label: String
        let figures: [Figure]
        /// For how many customers that time is over, in words.
        let over: String
    }

    /// A variant, or the holdout.
    struct Row: TemplateView {
        /// The CSS class of the colour.
        let `class`: String
        let name: String
        let cells: [Cell]
    }

    let headings: [String]
    let rows: [Row]
    let note: String

    /// Returns nil if nothing was paid yet.
    init?(_ report: ExperimentReport) {
        let revenue = report.revenue
        guard revenue.spans.contains(where: { !$0.holdout.paid.isEmpty }) else { return nil }
        let window = PeriodWords.text(report.revisions.campaign.design.goal.window.text)
        let labels = revenue.spans.map { $0.days.map { "\($0)\u{a0}days" } ?? "Window" }
        headings = ["Window (\(window))"] + labels.dropFirst()
        let cells = { (line: (RevenueReport.Span) -> RevenueReport.Line) in
            zip(labels, revenue.spans).map { Cell($0, line($1), revenue) }
        }
        let variants = report.revisions.variants.enumerated().map { index, variant in
            Row(class: "key \(SplitBar.style(index))", name: variant.label, cells: cells { $0.variants[index] })
        }
        let holdout = report.holdout.exposed > 0 ? [Row(class: "", name: "held out", cells: cells(\.holdout))] : []
        rows = variants + holdout
        note = Self.note(revenue)
    }

    private static func note(_ revenue: RevenueReport) -> String {
        var sentences = [
            "What customers paid after their first exposure, refunds taken out: in all, per exposed customer with its 95\u{a0}% interval, and compared with the control. Only customers whose time is over are counted."
        ]
        if let table = revenue.table {
            let day = table.asOf.map { " of \($0)" } ?? ""
            sentences.append("Added up in \(table.currency) by the rates\(day) in the configuration.")
        }
        if !revenue.withoutRate.isEmpty {
            sentences.append("There is no rate for \(revenue.withoutRate.joined(separator: ", ")), which is shown apart.")
        }
        let unknown = revenue.spans.flatMap { $0.variants + [$0.holdout] }.map(\.unknownPrices).max() ?? 0
        if unknown > 0 { sentences.append("Some purchases have no known price, so that revenue is too low.") }
        return
            (sentences + [
                "The intervals are for one look. What the verdict weighs is below, in the comparison of every variant with every other."
            ]).joined(separator: " ")
    }
}

extension RevenueView.Cell {
    fileprivate init(_ label: String, _ line: RevenueReport.Line, _ revenue: RevenueReport) {
        self.label = label
        let apart = line.paid.filter { revenue.table == nil || revenue.withoutRate.contains($0.currency) }
        figures = line.over == 0 ? [] : ([line.converted].compactMap(\.self) + apart).map(RevenueView.Figure.init)
        over = "\(ConsoleTime.number(line.over)) of \(ConsoleTime.number(line.exposed)) customers"
    }
}

extension RevenueView.Figure {
    fileprivate init(_ figure: RevenueReport.Figure) {
        let range = { (estimate: RevenueEstimate) in
            estimate.interval.map { " (\(FigureText.range($0, .money)))" } ?? ""
        }
        total = "\(FigureText.money(figure.total.value))\u{a0}\(figure.currency)"
        perExposed = figure.perExposed.map { "\(FigureText.money($0.value)) each\(range($0))" } ?? ""
        difference = figure.difference.map {
            "\($0.value >= 0 ? "+" : "")\(FigureText.money($0.value)) to control\(range($0))"
        }
    }
}
