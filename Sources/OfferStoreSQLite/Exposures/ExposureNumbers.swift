import GRDB
import OfferStore

/// The numbers that arms are known by from one transaction to the next. They never change.
///
/// Unchecked: reached on the writer's queue only.
final class ExposureNumbers: @unchecked Sendable {
    private var durable: [ExposureArm: Int64] = [:]
    // Of the transaction that runs, which may fail.
    private var new: [ExposureArm: Int64] = [:]

    /// Begins a transaction.
    func begin() { new.removeAll(keepingCapacity: true) }

    /// The number of an arm, a new one if it has none.
    func number(of arm: ExposureArm, _ database: Database) throws -> Int64 {
        if let number = durable[arm] ?? new[arm] { return number }
        if let number = try arm.number(database) {
            durable[arm] = number
            return number
        }
        let number = try arm.insert(database)
        new[arm] = number
        return number
    }
}
