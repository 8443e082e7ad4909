import OfferStore
import OfferStoreSQL
import Synchronization

/// The small numbers that replace apps in large tables. A durable number never changes.
final class AppNumbers: Sendable {
    private let known = Mutex<[AppPartition: Int64]>([:])

    /// The number of an app; nil if nothing was ever stored for it.
    func existing(_ partition: AppPartition, _ transaction: Transaction) throws -> Int64? {
        if let number = known.withLock({ $0[partition] }) { return number }
        let number = try transaction.run("SELECT number FROM app WHERE name = $1", .text(partition.name)).first { $0.number(0) }
        if let number { remember(number, of: partition, transaction) }
        return number
    }

    /// The number of an app, assigned if needed.
    func number(of partition: AppPartition, _ transaction: Transaction) throws -> Int64 {
        if let number = try existing(partition, transaction) { return number }
        let new = try transaction.run("INSERT INTO app (name) VALUES ($1) RETURNING number", .text(partition.name))
        let number = new.first { $0.number(0) }!
        remember(number, of: partition, transaction)
        return number
    }

    private func remember(_ number: Int64, of partition: AppPartition, _ transaction: Transaction) {
        transaction.afterCommit { [self] in known.withLock { $0[partition] = number } }
    }
}
