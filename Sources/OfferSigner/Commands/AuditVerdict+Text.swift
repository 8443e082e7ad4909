import EligibilityRules
import OfferService
import WireText

extension AuditVerdict {
    /// The verdict, then the numbers.
    var text: String {
        var lines = [summary]
        lines += faults.dropFirst().map { "Also: \($0)." }
        for table in tables {
            lines.append(
                "\(table.name): \(table.rows) rows in chains, \(table.unsealed) of them not sealed; \(table.unchained) older than the "
                    + "log; \(table.removed) removed by retention")
        }
        let newest = sealedAt.map { ", the newest of \($0.iso8601)" } ?? ""
        let strange = strangeSeals > 0 ? "; \(strangeSeals) by keys that are not here, covered by those after them" : ""
        lines.append("\(seals) seals\(newest)\(strange)")
        lines.append("checked in \(milliseconds) ms")
        return lines.joined(separator: "\n")
    }

    /// The same, for programs.
    var json: String {
        let bytes = JSONWriter.bytes { json in
            json.append(raw: #"{"verdict":"#)
            json.append(isProven ? "proven" : isIntact ? "intact" : "changed")
            json.append(raw: #","summary":"#)
            json.append(summary)
            json.append(raw: #","faults":["#)
            for (index, fault) in faults.enumerated() {
                if index > 0 { json.append(raw: ",") }
                json.append(fault)
            }
            json.append(raw: #"],"tables":["#)
            for (index, table) in tables.enumerated() {
                json.append(raw: index == 0 ? #"{"name":"# : #",{"name":"#)
                json.append(table.name)
                json.append(raw: #","rows":"#)
                json.append(table.rows)
                json.append(raw: #","unsealed":"#)
                json.append(table.unsealed)
                json.append(raw: #","unchained":"#)
                json.append(table.unchained)
                json.append(raw: #","removed":"#)
                json.append(table.removed)
                json.append(raw: "}")
            }
            json.append(raw: #"],"seals":"#)
            json.append(seals)
            json.append(raw: #","milliseconds":"#)
            json.append(milliseconds)
            json.append(raw: "}")
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
