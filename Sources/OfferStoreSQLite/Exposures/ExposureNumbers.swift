import GRDB
import OfferStore

/// A cache of the arms' numbers, kept between transactions. The numbers never change.
///
/// Unchecked: confined to the writer's queue.
final class ExposureNumbers: @unchecked Sendable {
    private var durable: [ExposureArm: Int64] = [:]
    // Numbers assigned by the current transaction, which may fail.
    private var new: [ExposureArm: Int64] = [:]

    /// Begins a transaction.
    func begin() { new.removeAll(keepingCapacity: true) }

    /// The number of an arm, assigned if needed.
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
