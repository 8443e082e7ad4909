import EligibilityRules
import OfferStore

/// One stored chain and what stands beside it.
struct HistoryRow {
    /// How much of the chain is read.
    enum Extent {
        /// What decides questions of now and later.
        case gist
        /// All of it.
        case whole

        /// The columns that `init` reads, in its order.
        var columns: String {
            switch self {
            case .gist: "id, original_transaction_id, customer_id, updated_at, gist"
            case .whole: "id, original_transaction_id, customer_id, updated_at, record"
            }
        }
    }

    let id: Int64
    let customerID: String?
    let updatedAt: Instant
    /// Empty if the record is damaged.
    let chain: PurchaseChain
    /// Whether the record is not what was written.
    let isDamaged: Bool

    init(_ statement: PreparedStatement, _ decoder: ChainRecord.Decoder) {
        id = statement.number(0)
        customerID = statement.optionalText(2)
        updatedAt = Instant(milliseconds: statement.number(3))
        let originalID = statement.originalID(1)
        let read = try? statement.withBytes(4) { bytes throws(ByteReader.Damaged) in
            try decoder.chain(originalID: originalID, bytes: bytes)
        }
        chain = read ?? PurchaseChain(originalID: originalID.text)
        isDamaged = read == nil
    }

    /// Whether it is bound to a customer, or to nobody yet.
    func mayBeOf(_ customer: String) -> Bool { customerID.map { $0.utf8.elementsEqual(customer.utf8) } ?? true }
}
