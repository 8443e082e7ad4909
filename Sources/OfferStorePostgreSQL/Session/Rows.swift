import CLibPQ
import OfferStoreSQL

/// The rows that a statement returned, in binary form.
package final class Rows: SQLRows {
    private let result: OpaquePointer

    /// Frees the result on `deinit`.
    init(_ result: OpaquePointer) { self.result = result }

    deinit { PQclear(result) }

    /// The error of the statement; nil for none.
    var failure: PostgreSQLFailure? {
        switch PQresultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK: return nil
        case PGRES_PIPELINE_ABORTED: return PostgreSQLFailure(sqlState: "25P02", message: "an earlier statement failed")
        default:
            // `PG_DIAG_SQLSTATE` and `PG_DIAG_MESSAGE_PRIMARY`, which Swift does not import.
            let field = { (code: Character) in
                PQresultErrorField(self.result, Int32(code.asciiValue!)).map { String(cString: $0) }
            }
            return PostgreSQLFailure(sqlState: field("C"), message: field("M") ?? "no message")
        }
    }

    package var count: Int { Int(PQntuples(result)) }

    /// The number of rows that the statement changed.
    package var changes: Int { PQcmdTuples(result).flatMap { Int(String(cString: $0)) } ?? 0 }

    /// Calls `body` with each row.
    func forEach(_ body: (Row) throws -> Void) rethrows {
        for index in 0..<PQntuples(result) { try body(Row(result, index)) }
    }

    /// Maps each row.
    package func map<Element>(_ body: (Row) throws -> Element) rethrows -> [Element] {
        try (0..<PQntuples(result)).map { try body(Row(result, $0)) }
    }

    /// Maps the first row; nil if there is none.
    package func first<Element>(_ body: (Row) throws -> Element) rethrows -> Element? {
        count == 0 ? nil : try body(Row(result, 0))
    }
}
