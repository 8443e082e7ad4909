import EligibilityRules
package import OfferStore

extension Exposure {
    /// The columns that `init(_:arm:)` reads, in order.
    static let columns = "id, arm, at, unit, caller, storefront, app_version, nonce"

    /// Reads a row of `exposure`, except its id.
    init(_ row: some SQLRow, arm: ExposureArm) {
        self.init(
            arm: arm, unit: row.text(3), at: row.instant(2),
            source: ExposureSource(caller: row.text(4), storefront: row.optionalText(5), appVersion: row.optionalText(6)),
            nonce: row.uuid(7))
    }

    /// The columns that `init(rehearsal:)` reads, in order.
    static let rehearsalColumns = "bundle_id, campaign_id, revision, variant, kind, unit, at, nonce"

    /// Reads a row of `rehearsal`. Throws `damaged` if it is invalid.
    init(rehearsal row: some SQLRow) throws {
        guard let kind = BucketingUnit(rawValue: row.text(4)) else {
            throw StoreError(.damaged, "a tester has met something by no known kind of id")
        }
        self.init(
            arm: ExposureArm(
                partition: AppPartition(name: row.text(0)), campaign: row.text(1), revision: Int(row.number(2)),
                variant: row.text(3), unitKind: kind),
            unit: row.text(5), at: row.instant(6), source: ExposureSource(caller: ""), nonce: row.uuid(7),
            isRehearsal: true)
    }
}

extension ExposureArm {
    /// The columns of `exposure_arm` that `all` reads, in order.
    package static let columns = "number, bundle_id, campaign_id, revision, variant, unit_kind"

    /// Reads arms by their numbers. Throws `damaged` if one is invalid.
    package static func all(_ rows: some SQLRows) throws -> [Int64: ExposureArm] {
        let arms = try rows.map { row in
            let arm = try ExposureArm(
                partition: AppPartition(name: row.text(1)), campaign: row.text(2), revision: Int(row.number(3)),
                variant: row.optionalText(4), unitKind: row.text(5))
            return (row.number(0), arm)
        }
        return Dictionary(uniqueKeysWithValues: arms)
    }
}
