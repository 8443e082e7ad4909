import OfferService
import WireText

extension NamedSchema {
    static let revenueEstimate = NamedSchema(
        "RevenueEstimate",
        "What a matured unit paid on average in one currency, with Student's 95 % interval.",
        [
            Field("currency", .text, "ISO 4217.", example: "USD"),
            Field("perExposed", .number, "The mean, in the currency's unit.", example: .number("0.6")),
            Field("low", .number.orNull, "Lower end; null where all paid the same.", example: .number("0.53")),
            Field("high", .number.orNull, "Upper end.", example: .number("0.67")),
            Field(
                optional: "difference",
                .object([
                    Field("value", .number, "The difference.", example: .number("0.03")),
                    Field("low", .number.orNull, "Lower end.", example: .number("0.01")),
                    Field("high", .number.orNull, "Upper end.", example: .number("0.05")),
                ]),
                "Less the control's, with Welch's 95 % interval. Left out for the control and where nothing is compared."),
        ])

    static let revenueReport = NamedSchema(
        "RevenueReport",
        "What units paid after their first exposure, refunds taken out. No verdict rests on it.",
        [
            Field(optional: "currency", .text, "`currencies.in` of the configuration. Left out without it.", example: "USD"),
            Field(optional: "ratesAsOf", .text, "The day of the rates. Left out if none is given.", example: "2026-11-01"),
            Field(
                "withoutRate", .list(.text.with("description", "ISO 4217.").with("examples", ["CHF"])),
                "Currencies that were paid in and have no rate. They are in no `converted`."),
            Field("spans", .list(.named("RevenueSpan")), "The goal's window, then 30 and 90 days."),
        ])

    static let revenueSpan = NamedSchema(
        "RevenueSpan",
        "A time after the first exposure.",
        [
            Field(optional: "days", .integer(0...), "Left out for the goal's window.", example: 30),
            Field("variants", .list(.named("RevenueLine")), "The control first."),
            Field("holdout", .named("RevenueLine")),
        ])

    static let revenueLine = NamedSchema(
        "RevenueLine",
        "A variant, or the holdout.",
        [
            Field("id", .text, "The variant, or `holdout`.", example: "half"),
            Field("exposed", .integer(0...), "All of its units.", example: 4118),
            Field("over", .integer(0...), "Those whose time is over. Only these are in the figures.", example: 3902),
            Field(
                "unknownPrices", .integer(0...),
                "Of these, units that bought something of which it is not known what was paid. It is in no figure.",
                example: 0),
            Field("paid", .list(.named("RevenueFigure")), "By the currency that they paid in."),
            Field(optional: "converted", .named("RevenueFigure")),
        ])

    static let revenueFigure = NamedSchema(
        "RevenueFigure",
        "Revenue in one currency.",
        [
            Field("currency", .text, "ISO 4217.", example: "USD"),
            Field("total", .number, "All of it, without rounding.", example: .number("12345.67")),
            Field("perExposed", .number.orNull, "Per unit whose time is over; null without any.", example: .number("2.31")),
            Field(
                "low", .number.orNull,
                "Lower end of Student's 95 % interval; null if all paid the same.",
                example: .number("2.02")),
            Field("high", .number.orNull, "Upper end.", example: .number("2.6")),
            Field(
                optional: "difference",
                .object([
                    Field("value", .number, "The difference.", example: .number("0.31")),
                    Field("low", .number.orNull, "Lower end; null if all paid the same.", example: .number("-0.1")),
                    Field("high", .number.orNull, "Upper end.", example: .number("0.72")),
                ]),
                """
                `perExposed` less the control's, with Welch's 95 % interval for one look. Left out for the control, the \
                holdout, with fewer than 50 units in either, and where the split is off.
                """),
        ])
}
