import EligibilityRules
import FoundationEssentials
import GRDB
import OfferStore

/// Adds exposures, on the writer's connection: made anew for each transaction.
struct ExposureWriter {
    private let database: Database
    private let arms: ExposureNumbers
    private let insertion: PreparedStatement

    /// - Parameter numbers: those that are known from earlier transactions.
    init(_ database: Database, _ numbers: ExposureNumbers) throws {
        self.database = database
        arms = numbers
        numbers.begin()
        insertion = try PreparedStatement(
            database,
            "INSERT INTO exposure (arm, at, unit, caller, storefront, app_version, nonce) VALUES (?, ?, ?, ?, ?, ?, ?)")
    }

    /// Adds a row each.
    func insert(_ exposures: [Exposure]) throws {
        for exposure in exposures {
            insertion.bind(try arms.number(of: ExposureArm(exposure), database), at: 1)
            insertion.bind(exposure.at.milliseconds, at: 2)
            insertion.bind(exposure.unit, at: 3)
            insertion.bind(exposure.caller, at: 4)
            insertion.bind(exposure.storefront, at: 5)
            insertion.bind(exposure.appVersion, at: 6)
            if let nonce = exposure.nonce {
                withUnsafeBytes(of: nonce.uuid) { insertion.bind($0, at: 7) }
            } else {
                insertion.bind(nil as Int64?, at: 7)
            }
            try insertion.run()
        }
    }
}
