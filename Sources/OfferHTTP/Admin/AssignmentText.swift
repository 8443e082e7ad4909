import EligibilityRules
import NIOCore
import OfferService
import WireText

/// The export of a campaign's units with their outcomes, one line for each unit.
///
/// The columns add up to the counts in the report. The report counts no conversion, refund or revenue of a unit whose window
/// is not over yet, so the line of such a unit counts none, either.
enum AssignmentText {
    /// The header line of the CSV table.
    static let heading =
        "unit,variant,setAside,exposedAt,windowEndsAt,matured,signed,redeemed,converted,refunded,convertedAt,redeemedAt,"
        + "retentionOffer,unknownPrice,revenue"
        + UnitOutcome.laterDays.map { ",over\($0),unknownPrice\($0),revenue\($0)" }.joined() + "\r\n"

    static func bytes(of rows: [AssignmentRow], asCSV: Bool) -> ByteBuffer {
        var buffer = ByteBuffer()
        for row in rows {
            if asCSV {
                buffer.writeString(line(row))
            } else {
                buffer.writeBytes(json(row).bytes)
                buffer.writeInteger(UInt8(ascii: "\n"))
            }
        }
        return buffer
    }

    private static func json(_ row: AssignmentRow) -> JSONValue {
        let (outcome, counts) = (row.outcome, row.outcome?.isMatured ?? false)
        let members: JSONValue = .members([
            "unit": .string(row.pseudonym), "variant": .text(row.variant), "setAside": .text(row.setAside?.rawValue),
            "exposedAt": .instant(row.exposedAt), "windowEndsAt": .instant(outcome?.windowEndsAt), "matured": .bool(counts),
            "signed": .bool(row.isSigned), "redeemed": .bool(outcome?.redeemedAt != nil),
            "converted": .bool(counts && outcome?.convertedAt != nil), "refunded": .bool(counts && outcome?.isRefunded == true),
            "convertedAt": .instant(outcome?.convertedAt), "redeemedAt": .instant(outcome?.redeemedAt),
            "retentionOffer": .bool(counts && outcome?.hasRetentionOffer == true),
            "unknownPrice": .bool(counts && outcome?.paid.hasUnknownPrice == true),
            "revenue": revenue(payments(outcome)),
        ])
        guard case .object(let list) = members else { return members }
        return .object(
            list
                + later(outcome).flatMap { time in
                    [
                        JSONValue.Member(name: "over\(time.days)", value: .bool(time.isOver)),
                        JSONValue.Member(name: "unknownPrice\(time.days)", value: .bool(time.paid.hasUnknownPrice)),
                        JSONValue.Member(name: "revenue\(time.days)", value: revenue(time.paid.payments)),
                    ]
                })
    }

    private static func revenue(_ payments: [UnitOutcome.Payment]) -> JSONValue {
        .object(payments.map { JSONValue.Member(name: $0.currency, value: .number(amount($0.amount))) })
    }

    private static func line(_ row: AssignmentRow) -> String {
        let (outcome, counts) = (row.outcome, row.outcome?.isMatured ?? false)
        func flag(_ flag: Bool?) -> String { flag == true ? "1" : "0" }
        func time(_ instant: Instant?) -> String { instant.map { "\($0.milliseconds)" } ?? "" }
        let fields = [
            row.pseudonym, row.variant ?? "", row.setAside?.rawValue ?? "", time(row.exposedAt), time(outcome?.windowEndsAt),
            flag(counts), flag(row.isSigned), flag(outcome?.redeemedAt != nil), flag(counts && outcome?.convertedAt != nil),
            flag(counts && outcome?.isRefunded == true), time(outcome?.convertedAt), time(outcome?.redeemedAt),
            flag(counts && outcome?.hasRetentionOffer == true), flag(counts && outcome?.paid.hasUnknownPrice == true),
            text(payments(outcome)),
        ]
        let more = later(outcome).flatMap { [flag($0.isOver), flag($0.paid.hasUnknownPrice), text($0.paid.payments)] }
        return (fields + more).map(CampaignResultsCSV.field).joined(separator: ",") + "\r\n"
    }

    private static func text(_ payments: [UnitOutcome.Payment]) -> String {
        payments.map { "\($0.currency) \(amount($0.amount))" }.joined(separator: "; ")
    }

    /// Returns what a unit has paid within each of the times of `UnitOutcome.laterDays`.
    ///
    /// As long as one of these times is not over, the entry for it says so and has no payments. The same holds if the purchases
    /// of the unit cannot be read.
    private static func later(_ outcome: UnitOutcome?) -> [(days: Int, isOver: Bool, paid: UnitOutcome.Paid)] {
        UnitOutcome.laterDays.enumerated().map { index, days in
            guard let time = outcome?.later[index], time.isOver else { return (days, false, .nothing) }
            return (days, true, time.paid)
        }
    }

    private static func payments(_ outcome: UnitOutcome?) -> [UnitOutcome.Payment] {
        outcome.map { $0.isMatured ? $0.paid.payments : [] } ?? []
    }

    /// Returns thousandths as an exact decimal number.
    private static func amount(_ thousandths: Int64) -> String {
        let digits = "\(thousandths % 1000 + 1000)".dropFirst()
        return "\(thousandths / 1000).\(digits)"
    }
}
