import AppStore
import ArgumentParser
import EligibilityRules
import FoundationEssentials
import OfferService
import OfferSigning
import OfferStore
import WireText

/// Loads everything that `serve` would, signs once with every key, and listens on nothing.
struct CheckConfigCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check-config",
        abstract: "Load the configuration, the keys and the store, and say what is wrong.",
        discussion: """
            Exits with 0 only if the service would start and sign. It does not try whether ports are free. It gives the PIN of a
            hardware module only if the token hides the public key without it: a wrong PIN, given again and again, locks a token.
            """
    )

    @OptionGroup var options: ConfigurationOptions

    @Flag(help: "Print the table of all configuration keys (Markdown) and do nothing else.")
    var reference = false

    @Flag(help: "Print apps, keys and offers as one line of JSON.")
    var json = false

    @Option(
        help: ArgumentHelp(
            "Fail if the catalogue differs from that of a file that `offersigner catalogue pull` has written.", valueName: "file")
    )
    var against: String?

    @Flag(help: "Say what differs from the configuration that the service works with, and what a reload would apply.")
    var againstRunning = false

    func run() async throws {
        if reference { return print(lines: ConfigurationKey.reference, terminator: "") }
        let configuration = try options.load()
        try checkCatalogue()
        let folder = KeyFolder(configuration, hardware: HardwareKeys(for: .check), xcode: try XcodeKeys(configuration))
        let bundleIDs = configuration.apps.map(\.bundleID)
        // The folder is read once without the store, so that its faults are reported even if there is no store yet.
        _ = try folder.contents(bundleIDs: bundleIDs, decisions: .none)
        let isNew = try configuration.isStoreNew
        let store = try configuration.openSigningStore(onWait: StandardError.note)
        let keys = try folder.keys(bundleIDs: bundleIDs, decisions: try await store.credentials.keys.keyDecisions())
        let ring = keys.ring
        if json { print(lines: ConfigurationSummary.json(configuration, ring)) } else { report(configuration, ring) }
        if !json { for fault in keys.faults { print("warning: keys: not used: \(fault.reason)") } }
        if let files = configuration.http.tls { _ = try ServerTLS(files) }
        _ = try SignedDataReader(configuration, system: .live)
        try await store.ledger.probe()
        try await checkClock(store, configuration)
        let purchases = try configuration.openPurchaseStore(onWait: StandardError.note)
        if try await configuration.lacksHistories(purchases.histories, store.ledger), !json {
            print("warning: \(ServiceConfiguration.lackOfHistories)")
        }
        if !json {
            try await warnOfGroups(configuration, purchases.histories)
            try await warnOfReceipts(configuration, purchases.receipts)
        }
        if againstRunning, !json { print(lines: try await differences(configuration, store)) }
        try store.file.close()
        try purchases.file.close()
        let without = configuration.apps.map(\.bundleID).filter { ring.active(for: $0) == nil }
        guard without.isEmpty else {
            let reasons =
                keys.locks.map { "keys: \($0.reason)" }
                + keys.faults.filter { fault in without.contains(where: fault.isActive) }.map { "keys: \($0.reason)" }
            throw ConfigurationError(["keys: no active key for \(without.joined(separator: ", "))"] + reasons)
        }
        if !json { print(lines: "store \(configuration.storeName): \(isNew ? "new, " : "")writable, durable, up to date\nok") }
    }

    private func checkCatalogue() throws {
        guard let against else { return }
        let pulled = try CatalogueFile.apps(try TextFile.read(against, for: "--against"), source: against)
        let differences = CatalogueDifference.all(configured: try options.tree().root.list("apps"), connect: pulled)
        guard differences.isEmpty else { throw ConfigurationError(differences.map(\.text)) }
    }

    /// Compares the configuration with the one that the service recorded when it last read it.
    ///
    /// Secrets are not compared, because the service does not record them.
    private func differences(_ configuration: ServiceConfiguration, _ store: SigningStore) async throws -> String {
        let keys = AuditKeyFolder(directory: configuration.keys.directory)
        let log = AuditLog(store: store.audit, keys: keys, system: .live)
        guard let facts = try await ConfigurationRecord(log: log).lastFacts() else {
            return "running: no service has recorded its configuration yet"
        }
        let recorded = ConfigurationSettings(facts: facts)
        let difference = ConfigurationDifference(
            from: recorded, to: ConfigurationSettings(facts: configuration.settings.facts))
        let replicas = try await store.processes.replicas?.roll().living
        // Replicas differ in some keys, and the record may be that of any replica.
        let isCompared = { (change: ConfigurationSettings.Change) in
            replicas == nil || !Replica.own.contains { "\(change.place):" == $0 }
        }
        var lines =
            difference.applied.map { "running: applied by a reload: \($0.text)" }
            + difference.waiting.filter(isCompared).map { "running: waits for a restart: \($0.text)" }
        if lines.isEmpty { lines = ["running: the same configuration"] }
        if let replicas, replicas.isEmpty { lines.append("running: no replica is alive; this is what one recorded last") }
        for replica in replicas ?? [] where replica.configurationDigest != Replica.digest(of: recorded) {
            lines.append("running: \(replica.address) works with another configuration than was recorded last: reload it, too")
        }
        return lines.joined(separator: "\n")
    }

    private func checkClock(_ store: SigningStore, _ configuration: ServiceConfiguration) async throws {
        let record = try await store.processes.clock.clockRecord()
        do throws(IssueError) {
            _ = try SigningClock(system: .live, record: record, maxAhead: configuration.maxClockAhead).now()
        } catch {
            throw ConfigurationError("clock: \(error.reason)")
        }
    }

    /// Names the products that the App Store has in another group than the catalogue.
    private func warnOfGroups(_ configuration: ServiceConfiguration, _ histories: any HistoryStore) async throws {
        for app in configuration.apps {
            let seen = try await histories.seenGroups(partition: AppPartition(bundleID: app.bundleID))
            for difference in GroupDirectory(catalogue: app.catalogue).note(seen) {
                print(
                    "warning: app \(app.bundleID): the catalogue has \(difference.productID) in group "
                        + "\(difference.catalogueGroupID), the App Store in \(difference.groupID), which is used; correct the catalogue"
                )
            }
        }
    }

    /// Warns if apps that should be polled with receipts are not polled, or if some of the stored receipts cannot be used.
    private func warnOfReceipts(_ configuration: ServiceConfiguration, _ receipts: any ReceiptStore) async throws {
        let apps = configuration.apps.filter { App($0).isPolledByReceipt }.map(\.bundleID).joined(separator: ", ")
        guard !apps.isEmpty else { return }
        if configuration.pollSeconds == 0 {
            print(
                "warning: \(apps): has no issuerId and is polled with receipts, but appStore.pollSeconds is 0: nothing is asked")
        }
        let folder = ReceiptSecretFolder(directory: configuration.keys.directory)
        let summary = ReceiptSummary(
            counts: [], byPrefix: try await receipts.counts(byPrefix: SealingKey.headerLength), folder: folder)
        for fault in summary.faults { print("warning: receipts: \(fault)") }
        if !summary.secrets.contains(where: { $0.number != nil }), !summary.faults.isEmpty || !folder.isWritable {
            print(
                "warning: \(apps): no receipt is kept, and none is asked about: there is no receipt secret in \(folder.directory), "
                    + "and the service cannot make one; docs/operations.md, The receipt secret, says how to")
        }
        if let lost = summary.secrets.first(where: { $0.number == nil }) {
            print(
                "warning: receipts: \(lost.count) of those that are kept cannot be read: their secret is not in \(folder.directory); "
                    + "restore ReceiptSecret_<number>.key")
        }
    }

    private func report(_ configuration: ServiceConfiguration, _ ring: KeyRing) {
        for entry in ring.entries {
            let apps = configuration.apps.map(\.bundleID).filter(entry.serves)
            let byState = Dictionary(grouping: apps, by: entry.state).sorted { $0.key.rawValue < $1.key.rawValue }
            // A key usually has the same state in all of its apps.
            let states =
                byState.count > 1
                ? byState.map { "\($0.key.rawValue) for \($0.value.joined(separator: ", "))" }.joined(separator: "; ")
                : "\((byState.first?.key ?? entry.state).rawValue), \(entry.apps?.sorted().joined(separator: ", ") ?? "every app")"
            print(
                "key \(entry.key.id): \(states), fingerprint (SHA-256) \(entry.key.fingerprint)"
                    + (entry.key.signsLater ? ", in a hardware module: the service tries whether it signs" : ""))
        }
        for app in configuration.apps {
            let offers = app.catalogue.products.values.reduce(0) { $0 + $1.promotionalOffers.count }
            print(
                "app \(app.bundleID): \(app.catalogue.products.count) products, \(offers) promotional offers, "
                    + (ring.active(for: app.bundleID).map { "signs with \($0.id)" } ?? "NO ACTIVE KEY")
                    + (app.xcodeKey.map { ", for Xcode with \($0.id)" } ?? "")
                    + (app.issuerID == nil ? ", no issuer id: no JWS" : "")
                    + (app.enforcement == .enforce
                        ? ", eligibility enforced" : ", eligibility only advised: every offer is signed"))
            if app.catalogue.products.isEmpty {
                print(
                    "warning: app \(app.bundleID): without products every request for a signature is refused with unknown-product"
                )
            }
            if app.appAppleID == nil, app.environment == .production {
                print("warning: app \(app.bundleID): without appAppleId no notification V2 of Production is accepted")
            }
            if let issuerID = app.issuerID, UUID(text: issuerID) == nil {
                print("warning: app \(app.bundleID): issuerId is not a UUID; App Store Connect shows it above the list of keys")
            }
        }
    }
}
