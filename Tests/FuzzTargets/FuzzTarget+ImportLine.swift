import AppStore
import EligibilityRules
import OfferSigning
import OfferStore
import OfferStoreTesting

@testable import OfferService

extension FuzzTarget {
    /// One line of an import, as the command reads it.
    static func readImportLine(_ input: UnsafeBufferPointer<UInt8>) {
        guard let change = try? line.change(input) else { return }
        precondition(change.partition == line.app.partition, "a change is another app's")
        precondition(change.customerID.map { Identifier.fault(of: $0) == nil } ?? true, "a customer's id is none")
        Oracle.check(PurchaseHistory(change.chains))
    }

    private static let bundleID = "com.example.app"

    private static let store = TemporaryStore()

    private static let line: ImportLine = {
        let system = SystemEnvironment(
            now: { Instant(milliseconds: SeedAuthority.now) }, randomBytes: SystemEnvironment.live.randomBytes)
        let reader = SignedDataReader(verifier: SeedAuthority.verifier)
        return ImportLine(
            app: App(
                identity: AppIdentity(bundleID: bundleID, appAppleID: nil, environment: .production),
                rules: AppRules(enforcement: .enforce), policy: EligibilityPolicy(), catalogue: Catalogue(products: [])),
            reader: reader,
            notifications: NotificationIntake(intake: HistoryIntake(store: store.histories, reader: reader, system: system)),
            system: system)
    }()
}
