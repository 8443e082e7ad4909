import EligibilityRules
import FoundationEssentials
import GRDB
import OfferStore

/// Inserts exposures on the writer's connection. Created for each transaction.
struct ExposureWriter {
    private let database: Database
    private let arms: ExposureNumbers
    private let insertion: PreparedStatement
    private let rehearsalInsertion: PreparedStatement

    /// - Parameter numbers: the numbers known from earlier transactions.
    init(_ database: Database, _ numbers: ExposureNumbers) throws {
        self.database = database
        arms = numbers
        numbers.begin()
        insertion = try PreparedStatement(
            database,
            "INSERT INTO exposure (arm, at, unit, caller, storefront, app_version, nonce) VALUES (?, ?, ?, ?, ?, ?, ?)")
        rehearsalInsertion = try PreparedStatement(
            database,
            "INSERT INTO rehearsal (bundle_id, campaign_id, revision, variant, kind, unit, at, nonce) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
        )
    }

    /// Inserts one row for each exposure.
    func insert(_ exposures: [Exposure]) throws {
        for exposure in exposures {
            guard !exposure.isRehearsal else {
                try insert(rehearsal: exposure)
                continue
            }
            insertion.bind(try arms.number(of: exposure.arm, database), at: 1)
            insertion.bind(exposure.at.milliseconds, at: 2)
            insertion.bind(exposure.unit, at: 3)
            insertion.bind(exposure.source.caller, at: 4)
            insertion.bind(exposure.source.storefront, at: 5)
            insertion.bind(exposure.source.appVersion, at: 6)
            Self.bind(exposure.nonce, to: insertion, at: 7)
            try insertion.run()
        }
    }

    private func insert(rehearsal exposure: Exposure) throws {
        rehearsalInsertion.bind(exposure.arm.partition.name, at: 1)
        rehearsalInsertion.bind(exposure.arm.campaign, at: 2)
        rehearsalInsertion.bind(Int64(exposure.arm.revision), at: 3)
        rehearsalInsertion.bind(exposure.arm.variant ?? "", at: 4)
        rehearsalInsertion.bind(exposure.arm.unitKind.rawValue, at: 5)
        rehearsalInsertion.bind(exposure.unit, at: 6)
        rehearsalInsertion.bind(exposure.at.milliseconds, at: 7)
        Self.bind(exposure.nonce, to: rehearsalInsertion, at: 8)
        try rehearsalInsertion.run()
    }

    private static func bind(_ nonce: UUID?, to statement: PreparedStatement, at place: Int32) {
        if let nonce {
            withUnsafeBytes(of: nonce.uuid) { statement.bind($0, at: place) }
        } else {
            statement.bind(nil as Int64?, at: place)
        }
    }
}
