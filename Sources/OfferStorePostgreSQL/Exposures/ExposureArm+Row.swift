import EligibilityRules
import OfferStore

extension ExposureArm {
    /// The columns that `init(_:)` reads, in order.
    static let columns = "number, bundle_id, campaign_id, revision, variant, unit_kind"

    /// Reads the columns after the number. Throws `damaged` if they are invalid.
    init(_ row: Row) throws {
        try self.init(
            partition: AppPartition(name: row.text(1)), campaign: row.text(2), revision: Int(row.number(3)),
            variant: row.optionalText(4), unitKind: row.text(5))
    }
}

extension Rows {
    /// The arms by their numbers.
    func arms() throws -> [Int64: ExposureArm] {
        var arms: [Int64: ExposureArm] = [:]
        try forEach { arms[$0.number(0)] = try ExposureArm($0) }
        return arms
    }
}
