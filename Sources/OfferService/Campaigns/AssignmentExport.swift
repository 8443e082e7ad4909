package import EligibilityRules
import OfferSigning

/// An export of all units of an experiment with their outcomes. A reader can compute every figure of the results from it again.
///
/// The units are counted while the export is written.
package struct AssignmentExport: Sendable {
    let counting: ExperimentCounting
    let executor: BoundedExecutor

    /// The instant up to which exposures and purchases count.
    package var asOf: Instant { counting.asOf }

    /// Writes the rows in the order of first exposure, some at a time, and waits for `write` each time.
    ///
    /// Throws what `write` throws, and a `StoreError`.
    package func write(_ write: @Sendable ([AssignmentRow]) async throws -> Void) async throws {
        let counting = counting
        try await executor.run {
            _ = try await counting.report(each: { slice in
                try await write(slice.map { AssignmentRow($0, $1, in: counting.revisions) })
            })
        }
    }
}

/// One unit of an experiment. It has a pseudonym in place of the unit's id.
package struct AssignmentRow: Sendable {
    /// Why the counts leave a unit out.
    package enum SetAside: String, Sendable {
        case twoVariants = "two-variants"
        case earlierRevision = "earlier-revision"
        /// The stored purchases of the unit cannot be read.
        case unreadable
    }

    /// Identifies the unit in this campaign: SHA-256 of `<campaign>:export:<unit>`, the first 16 bytes in hexadecimal digits.
    package let pseudonym: String
    /// The variant's id, or `holdout`; nil for a unit that met several variants, or an earlier experiment of the campaign.
    package let variant: String?
    /// Why the unit does not count; nil if it counts.
    package let setAside: SetAside?
    package let exposedAt: Instant
    package let isSigned: Bool
    /// What the unit has done; nil if its purchases cannot be read.
    package let outcome: UnitOutcome?

    init(_ unit: ExposedUnit, _ outcome: UnitOutcome?, in revisions: ExperimentRevisions) {
        pseudonym = Crypto.hexadecimal(Crypto.sha256(Array("\(revisions.campaign.id):export:\(unit.id)".utf8)).prefix(16))
        let aside: SetAside?
        (variant, aside) =
            switch unit.place {
            case .variant(let place): (revisions.variants[place].id, nil)
            case .holdout: (CampaignVariant.holdout, nil)
            case .twoVariants: (nil, .twoVariants)
            case .earlierRevision: (nil, .earlierRevision)
            }
        setAside = outcome == nil ? .unreadable : aside
        exposedAt = unit.exposedAt
        isSigned = unit.isSigned
        self.outcome = outcome
    }
}
