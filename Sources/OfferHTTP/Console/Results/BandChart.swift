import EligibilityRules

/// The distance of each variant from the control by day, as a drawing. Coordinates are percentages, so that text keeps its size.
struct BandChart {
    private static let maxLabels = 4
    private static let maxSteps = 6
    private static let maxLines = 14
    private static let maxName = 10
    /// The least distance of two names at the end, in percent of the height.
    private static let labelHeight = 13.0

    let bands: [DifferenceBand]
    /// The names of the variants, in the order of the plan.
    let names: [String]
    let time: ConsoleTime

    private let first: Instant
    private let last: Instant
    private let step: Double
    private let top: Double
    private let bottom: Double

    /// Returns nil for less than two days, which cannot be drawn.
    init?(_ bands: [DifferenceBand], names: [String], time: ConsoleTime) {
        let days = bands.flatMap { $0.points.map(\.until) }
        guard let first = days.min(), let last = days.max(), first < last else { return nil }
        (self.bands, self.names, self.time, self.first, self.last) = (bands, names, time, first, last)
        // The scale fits the later half: the wide bands of the beginning would flatten everything else.
        let middle = first.advanced(by: last.milliseconds(since: first) / 2)
        let later = bands.flatMap { $0.points.filter { $0.until >= middle } }
        let high = max(0.005, later.map(\.interval.high).max() ?? 0)
        let low = min(-0.005, later.map(\.interval.low).min() ?? 0)
        step = Self.step(for: high - low)
        top = (high / step).rounded(.up) * step
        bottom = (low / step).rounded(.down) * step
    }

    /// The values for the template.
    var values: [String: Any] {
        [
            "range": "\(day(first)) to \(day(last))", "finding": bands.map(finding).joined(separator: " "), "steps": steps,
            "bands": bands.map { ["class": SplitBar.style($0.variant), "path": outline($0)] },
            "curves": bands.map { ["class": SplitBar.style($0.variant), "path": curve($0)] }, "ends": ends, "days": labels,
            "columns": bands.map { ["name": names[$0.variant]] }, "rows": rows,
        ]
    }

    /// Returns what a band shows, in a sentence.
    private func finding(_ band: DifferenceBand) -> String {
        let (name, end) = (names[band.variant], band.points.last!)
        let now =
            "\(name): \(FigureText.points(end.value)) points, \(FigureText.between(end.interval, .points))."
        guard let since = band.decidedSince else { return "\(now) The band still holds 0." }
        return "\(now) Wholly \(end.interval.isAboveZero ? "above" : "below") 0 since \(day(since))."
    }

    private var steps: [[String: Any]] {
        let count = Int(((top - bottom) / step).rounded())
        return (0...count).map { number in
            let value = bottom + Double(number) * step
            let isZero = abs(value) < step / 2
            return [
                "y": percent(place(value)), "isZero": isZero,
                "label": isZero ? "0" : FigureText.points(value).replacing(".0", with: ""),
            ]
        }
    }

    private var ends: [[String: Any]] {
        let sorted = bands.sorted { $0.points.last!.value > $1.points.last!.value }
        let ends = sorted.map { place($0.points.last!.value) }
        return zip(sorted, zip(ends, Self.apart(ends))).map { band, places in
            let name = names[band.variant]
            return [
                "class": SplitBar.style(band.variant), "y": percent(places.0), "label": percent(places.1),
                "name": name.count > Self.maxName ? "\(name.prefix(Self.maxName - 1))…" : name,
                "value": FigureText.points(band.points.last!.value),
            ]
        }
    }

    /// Returns the places of labels, from the top. Labels do not overlap and stay inside the picture.
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

    private var labels: [[String: Any]] {
        let span = last.milliseconds(since: first)
        let count = min(Self.maxLabels, Int(span / 86_400_000) + 1)
        return (0..<count).map { number in
            let instant = first.advanced(by: span * Int64(number) / Int64(max(1, count - 1)))
            return [
                "x": percent(x(instant)), "anchor": number == 0 ? "start" : number == count - 1 ? "end" : "middle",
                "isOptional": number % 3 != 0, "text": day(instant),
            ]
        }
    }

    private var rows: [[String: Any]] {
        let days = Array(Set(bands.flatMap { $0.points.map(\.until) })).sorted()
        let shown = days.indices.filter { index in
            days.count <= Self.maxLines
                || Set((0..<Self.maxLines).map { $0 * (days.count - 1) / (Self.maxLines - 1) }).contains(index)
        }
        return shown.map { index in
            [
                "day": day(days[index]),
                "cells": bands.map { band -> [String: Any] in
                    guard let point = band.points.first(where: { $0.until == days[index] }) else {
                        return ["value": "–", "range": ""]
                    }
                    return [
                        "value": FigureText.points(point.value),
                        "range":
                            "\(FigureText.range(point.interval, .points)), \(ConsoleTime.count(point.units, "customer"))",
                    ]
                },
            ]
        }
    }

    private func outline(_ band: DifferenceBand) -> String {
        let up = band.points.map { "\(x($0.until).hundredths),\(place($0.interval.high).hundredths)" }
        let down = band.points.reversed().map { "\(x($0.until).hundredths),\(place($0.interval.low).hundredths)" }
        return "M" + (up + down).joined(separator: " ") + "Z"
    }

    private func curve(_ band: DifferenceBand) -> String {
        "M" + band.points.map { "\(x($0.until).hundredths),\(place($0.value).hundredths)" }.joined(separator: " ")
    }

    /// Returns a place in percent of the width.
    private func x(_ instant: Instant) -> Double {
        100 * Double(instant.milliseconds(since: first)) / Double(last.milliseconds(since: first))
    }

    /// Returns a place in percent of the height, from the top. Values outside lie at the edge.
    private func place(_ value: Double) -> Double { 100 * (top - min(top, max(bottom, value))) / (top - bottom) }

    private func percent(_ value: Double) -> String { "\(value.hundredths)%" }

    /// Returns the day that ended at an instant: `21 Nov`.
    private func day(_ instant: Instant) -> String { time.day(instant.advanced(by: -1)) }

    /// Returns 1, 2 or 5 times a power of ten, as a share.
    private static func step(for span: Double) -> Double {
        var power = 0.001
        while true {
            for step in [power, 2 * power, 5 * power] where step * Double(maxSteps) >= span { return step }
            power *= 10
        }
    }
}

extension Double {
    /// The number with two decimals, for a drawing.
    fileprivate var hundredths: String {
        let number = Int((self * 100).rounded())
        return "\(number / 100).\(number % 100 < 10 ? "0" : "")\(number % 100)"
    }
}
