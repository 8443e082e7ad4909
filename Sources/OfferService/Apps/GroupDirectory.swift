package import EligibilityRules
import Synchronization

/// For products that the catalogue lacks or puts into another group: the subscription group that their purchases show.
///
/// Each new purchase may add a product.
package final class GroupDirectory: Sendable {
    /// A product of the catalogue that the App Store has in another group.
    package struct Difference: Equatable, Sendable {
        package let productID: String
        package let catalogueGroupID: String
        package let groupID: String
    }

    private let catalogue: Catalogue
    private let groups = Mutex<[ExactText: String]>([:])
    private let snapshot = Mutex(SeenGroups.none)

    package init(catalogue: Catalogue) { self.catalogue = catalogue }

    /// The groups that are known now.
    package var current: SeenGroups { snapshot.withLock { $0 } }

    /// Records the groups of purchases. Returns the differences from the catalogue that were not known before.
    package func note(_ chains: [PurchaseChain]) -> [Difference] {
        var differences: [Difference] = []
        for chain in chains {
            guard let groupID = chain.groupID else { continue }
            for transaction in chain.transactions {
                differences += note(groupID, ofProduct: transaction.productID).map { [$0] } ?? []
            }
        }
        return differences
    }

    /// Records the groups that a store has seen. Returns the differences from the catalogue that were not known before.
    package func note(_ seen: [ExactText: String]) -> [Difference] {
        seen.compactMap { note($0.value, ofProduct: $0.key.string) }.sorted { $0.productID < $1.productID }
    }

    /// Records the groups that another directory has.
    func keep(_ other: GroupDirectory) { _ = note(other.groups.withLock { $0 }) }

    private func note(_ groupID: String, ofProduct productID: String) -> Difference? {
        let product = catalogue.product(productID)
        if let product, ExactText(product.groupID) == ExactText(groupID) { return nil }
        let isNew = groups.withLock { groups in
            guard groups[ExactText(productID)] != groupID else { return false }
            groups[ExactText(productID)] = groupID
            snapshot.withLock { $0 = SeenGroups(groups) }
            return true
        }
        guard isNew, let product else { return nil }
        return Difference(productID: productID, catalogueGroupID: product.groupID, groupID: groupID)
    }
}
