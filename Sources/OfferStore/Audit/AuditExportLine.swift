import EligibilityRules
package import WireText

/// The lines of an exported log.
package enum AuditExportLine {
    /// The first line, which names the log.
    package static func log(origin: String) -> [UInt8] {
        JSONWriter.bytes { json in
            json.append(raw: #"{"type":"log","origin":"#)
            json.append(origin)
            json.append(raw: "}")
        }
    }

    /// The line that says where a table begins.
    package static func table(_ mark: AuditTableMark) -> [UInt8] {
        JSONWriter.bytes { json in
            json.append(raw: #"{"type":"table","table":"#)
            json.append(mark.table.rawValue)
            json.append(raw: #","removed":"#)
            json.append(mark.removed)
            json.append(raw: "}")
        }
    }

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

    /// The line of a row.
    ///
    /// - Parameters:
    ///   - columns: the names of the columns.
    ///   - isNull: whether a column is NULL. Such columns are left out.
    ///   - append: writes the value of a column.
    package static func row(
        _ table: AuditTable,
        _ columns: [String],
        isNull: (Int32) -> Bool,
        append: (Int32, inout JSONWriter) -> Void
    ) -> [UInt8] {
        JSONWriter.bytes { json in
            json.append(raw: #"{"type":"row","table":"#)
            json.append(table.rawValue)
            for (name, index) in zip(columns, Int32(0)...) where !isNull(index) {
                json.append(raw: ",")
                json.append(name)
                json.append(raw: ":")
                append(index, &json)
            }
            json.append(raw: "}")
        }
    }

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
