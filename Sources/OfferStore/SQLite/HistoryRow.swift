import EligibilityRules

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
        let originalID = statement.originalID(1)
        (chain, isDamaged) = statement.withBytes(4) { HistoryRow.chain(originalID, $0, decoder) }
        id = statement.number(0)
        customerID = statement.optionalText(2)
        updatedAt = Instant(milliseconds: statement.number(3))
    }

    /// A subscription as it stands in its customer's record.
    init(
        _ originalID: ChainRecord.OriginalID,
        of customerID: String,
        updatedAt: Instant,
        bytes: UnsafeRawBufferPointer,
        _ decoder: ChainRecord.Decoder
    ) {
        id = 0
        self.customerID = customerID
        self.updatedAt = updatedAt
        (chain, isDamaged) = HistoryRow.chain(originalID, bytes, decoder)
    }

    /// Stands for whatever cannot be read of a customer's record.
    init(damagedOf customerID: String) {
        id = 0
        self.customerID = customerID
        updatedAt = Instant(milliseconds: 0)
        chain = PurchaseChain(originalID: "")
        isDamaged = true
    }

    private static func chain(
        _ originalID: ChainRecord.OriginalID,
        _ bytes: UnsafeRawBufferPointer,
        _ decoder: ChainRecord.Decoder
    ) -> (PurchaseChain, isDamaged: Bool) {
        do {
            return (try decoder.chain(originalID: originalID, bytes: bytes), false)
        } catch {
            return (PurchaseChain(originalID: originalID.text), true)
        }
    }

    /// Whether it is bound to a customer, or to nobody yet.
    func mayBeOf(_ customer: String) -> Bool { customerID.map { $0.utf8.elementsEqual(customer.utf8) } ?? true }
}
