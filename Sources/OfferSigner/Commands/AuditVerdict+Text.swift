import EligibilityRules
import OfferService

extension AuditVerdict {
    /// The verdict in a sentence, then the numbers behind it.
    var text: String {
        var lines = [summary]
        lines += faults.dropFirst().map { "Also: \($0)." }
        for table in tables {
            lines.append(
                "\(table.name): \(table.rows) rows in chains, \(table.unsealed) of them not sealed; \(table.removed) removed by retention"
            )
        }
        let newest = sealedAt.map { ", the newest of \($0.iso8601)" } ?? ""
        let strange = strangeSeals > 0 ? "; \(strangeSeals) by keys that are not here, covered by those after them" : ""
        lines.append("\(seals) seals\(newest)\(strange)")
        lines.append("checked in \(milliseconds) ms")
        return lines.joined(separator: "\n")
    }
}
