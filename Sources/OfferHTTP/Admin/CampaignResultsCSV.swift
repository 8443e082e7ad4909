import EligibilityRules

/// The results of a campaign as a table in CSV, with a line for each variant and one for the holdout.
enum CampaignResultsCSV {
    private static let columns = [
        "variant", "weight", "exposed", "matured", "signed", "redeemed", "converted", "refunded", "retentionOffers",
        "unknownPrices", "conversionRate", "conversionLow", "conversionHigh", "difference", "differenceLow", "differenceHigh",
        "chanceToBeatControl", "newcombeLow", "newcombeHigh", "z", "zTestP", "sequentialP", "verdict", "asOf",
    ]

    /// Returns the table with its header line.
    ///
    /// If customers were not split among the variants as planned, the report hides some figures. Their fields are then empty.
    static func text(_ report: ExperimentReport) -> String {
        let variants = report.results.variants
        let currencies = variants.first.map { $0.revenue.map(\.currency) } ?? []
        var lines = [
            columns + currencies.flatMap { ["revenue\($0)", "revenue\($0)Low", "revenue\($0)High"] }
                + report.revenue.spans.flatMap { spanColumns($0, report.revenue.table) } + ["name"]
        ]
        let code = report.results.verdict.code.rawValue
        for (index, line) in variants.enumerated() {
            lines.append(
                [line.tally.id, "\(report.revisions.variants[index].weight)"]
                    + counts(report.tallies[index], line.conversion)
                    + comparisons(line.comparison) + [code, "\(report.asOf.milliseconds)"]
                    + currencies.flatMap { currency in
                        let revenue = line.revenue.first { $0.currency == currency }
                        return [revenue?.value, revenue?.interval?.low, revenue?.interval?.high].map(text)
                    } + report.revenue.spans.flatMap { spanFields($0.variants[index]) } + [harmless(line.tally.label)])
        }
        lines.append(
            [CampaignVariant.holdout, ""] + counts(report.holdout, report.holdoutConversion) + comparisons(nil)
                + ["", "\(report.asOf.milliseconds)"] + currencies.flatMap { _ in ["", "", ""] }
                + report.revenue.spans.flatMap { spanFields($0.holdout) } + [CampaignVariant.holdout])
        return lines.map { $0.map(field).joined(separator: ",") + "\r\n" }.joined()
    }

    /// Returns the names of the columns about one time after the first exposure: `over30`, `total30EUR`, `converted30USDTotal`
    /// and so on.
    private static func spanColumns(_ span: RevenueReport.Span, _ table: CurrencyTable?) -> [String] {
        let days = span.days.map(String.init) ?? ""
        let converted = table.map { table in
            ["Total", "PerExposed", "Low", "High", "Difference", "DifferenceLow", "DifferenceHigh"].map {
                "converted\(days)\(table.currency)\($0)"
            }
        }
        return ["over\(days)"] + span.holdout.paid.map { "total\(days)\($0.currency)" } + (converted ?? [])
    }

    private static func spanFields(_ line: RevenueReport.Line) -> [String] {
        let converted = line.converted.map { figure in
            let (mean, difference) = (figure.perExposed, figure.difference)
            return [figure.total.text]
                + [
                    mean?.value, mean?.interval?.low, mean?.interval?.high, difference?.value, difference?.interval?.low,
                    difference?.interval?.high,
                ].map(text)
        }
        return ["\(line.over)"] + line.paid.map(\.total.text) + (converted ?? [])
    }

    private static func counts(_ tally: OutcomeTally, _ interval: ConfidenceInterval) -> [String] {
        [
            tally.exposed, tally.matured, tally.signed, tally.redeemed, tally.converted, tally.refunded, tally.retentionOffers,
            tally.unknownPrices,
        ].map { "\($0)" }
            + [tally.matured == 0 ? nil : Double(tally.converted) / Double(tally.matured), interval.low, interval.high].map(text)
    }

    private static func comparisons(_ comparison: VariantComparison?) -> [String] {
        [
            comparison?.value, comparison?.interval.low, comparison?.interval.high, comparison?.chanceToBeatControl,
            comparison?.newcombe.low, comparison?.newcombe.high, comparison?.z, comparison?.zTestP, comparison?.sequentialP,
        ].map(text)
    }

    private static func text(_ value: Double?) -> String { value.map { "\($0)" } ?? "" }

    /// Returns the text. If a spreadsheet would take it for a formula, an apostrophe is put before it.
    static func harmless(_ text: String) -> String {
        "=+-@\t\r".unicodeScalars.contains { $0 == text.unicodeScalars.first } ? "'\(text)" : text
    }

    /// Returns a field of a CSV table. It is put into quotation marks if RFC 4180 requires that.
    static func field(_ text: String) -> String {
        guard text.utf8.contains(where: { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }) else { return text }
        return "\"\(text.replacing("\"", with: "\"\""))\""
    }
}
