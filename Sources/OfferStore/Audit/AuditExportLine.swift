import EligibilityRules
import WireText

/// The lines of an exported log that are not rows.
package enum AuditExportLine {
    /// Of which log they are; the first.
    package static func log(origin: String) -> [UInt8] {
        JSONWriter.bytes { json in
            json.append(raw: #"{"type":"log","origin":"#)
            json.append(origin)
            json.append(raw: "}")
        }
    }

    /// Where a table begins.
    package static func table(_ mark: AuditTableMark) -> [UInt8] {
        JSONWriter.bytes { json in
            json.append(raw: #"{"type":"table","table":"#)
            json.append(mark.table.rawValue)
            json.append(raw: #","unchained":"#)
            json.append(mark.unchained)
            json.append(raw: #","removed":"#)
            json.append(mark.removed)
            json.append(raw: "}")
        }
    }

    /// A chain.
    package static func chain(_ chain: AuditChain) -> [UInt8] {
        JSONWriter.bytes { json in
            json.append(raw: #"{"type":"chain","number":"#)
            json.append(chain.number)
            json.append(raw: #","table":"#)
            json.append(chain.table.rawValue)
            json.append(raw: #","id":"#)
            json.append(Hexadecimal.encode(chain.id))
            json.append(raw: #","writer":"#)
            json.append(Hexadecimal.encode(chain.writer))
            json.append(raw: #","openedAt":"#)
            json.append(chain.openedAt.milliseconds)
            if let removed = chain.removed {
                json.append(raw: #","removedRows":"#)
                json.append(removed.rows)
                json.append(raw: #","removedLink":"#)
                json.append(Hexadecimal.encode(removed.link.bytes))
            }
            json.append(raw: "}")
        }
    }

    /// A seal.
    package static func seal(_ number: Int64, note: String) -> [UInt8] {
        JSONWriter.bytes { json in
            json.append(raw: #"{"type":"seal","number":"#)
            json.append(number)
            json.append(raw: #","note":"#)
            json.append(note)
            json.append(raw: "}")
        }
    }
}
