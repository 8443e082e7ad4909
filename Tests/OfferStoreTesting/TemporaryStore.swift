package import EligibilityRules
import Foundation
package import OfferStore
import OfferStoreSQLite

/// An embedded store in a folder of its own, which goes with it. What its parts have stands here, too.
@dynamicMemberLookup
package final class TemporaryStore: Sendable {
    private static let files = (signing: "store.sqlite", purchases: "histories.sqlite")
    /// Empty files: to copy them costs less than to make their tables.
    private static let template: Result<TemporaryFolder, any Error> = Result {
        let folder = try TemporaryFolder()
        try open(folder) { .testNow }.close()
        return folder
    }

    /// The signatures, and what goes with them.
    package let signing: SigningStore
    /// The histories, and what goes with them.
    package let purchases: PurchaseStore
    /// Ties histories to signatures.
    package let redemptions: any RedemptionStore
    private let folder: TemporaryFolder

    /// Makes an empty one.
    ///
    /// - Parameters:
    ///   - keepsEvents: whether changes of purchases make events.
    ///   - now: returns the time, by which leases expire.
    package init(keepsEvents: Bool = false, now: @escaping @Sendable () -> Instant = { .testNow }) {
        do {
            folder = try TemporaryFolder()
            for name in [Self.files.signing, Self.files.purchases] {
                try FileManager.default.copyItem(atPath: Self.template.get().path(name), toPath: folder.path(name))
            }
            let store = try Self.open(folder, keepsEvents: keepsEvents, now: now)
            (signing, purchases, redemptions) = (store.signing, store.purchases, store.redemptions)
        } catch {
            fatalError("no store for a test: \(error)")
        }
    }

    private static func open(
        _ folder: TemporaryFolder,
        keepsEvents: Bool = false,
        now: @escaping @Sendable () -> Instant
    ) throws -> Store {
        try Store.sqlite(
            signing: folder.path(files.signing), purchases: folder.path(files.purchases), audit: .testing,
            keepsEvents: keepsEvents, now: now, onWait: { _ in })
    }

    package subscript<Part>(dynamicMember path: KeyPath<SigningStore, Part>) -> Part { signing[keyPath: path] }

    package subscript<Part>(dynamicMember path: KeyPath<PurchaseStore, Part>) -> Part { purchases[keyPath: path] }
}
