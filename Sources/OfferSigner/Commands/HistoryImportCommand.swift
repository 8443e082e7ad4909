import AppStore
import ArgumentParser
import EligibilityRules
import FoundationEssentials
import Glibc
import Logging
import OfferService
import OfferSigning
import OfferStore

/// Imports purchases from a file.
struct HistoryImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import receipts, notifications or signed transactions from JSON Lines, or a list of transaction ids.",
        discussion: """
            One JSON text a line: {"customerId": …, "receipt": {a verifyReceipt response}}, {"customerId": …, \
            "signedTransactions": [JWS, …], "signedRenewalInfos": [JWS, …], "complete": true if these are all of the Apple account}, {"notification": {a notification's body}}, a bare \
            verifyReceipt response, a bare notification, or a signed transaction as a string. customerId may be left out.
            With --ids the file names a transaction id of each customer, as {"customerId": …, "transactionId": …} or as CSV with a header. \
            Everything else is fetched from the App Store.
            After an interruption, the next run continues at the same place. Lines that cannot be used are reported in FILE.rejected.jsonl.
            The service may be running meanwhile.
            """
    )

    @OptionGroup var options: ConfigurationOptions

    @Option(name: .customLong("app"), help: ArgumentHelp("The app. Default: the only one.", valueName: "bundle id"))
    var bundleID: String?

    @Flag(help: "Begin at the first line, whatever an earlier run has done.")
    var restart = false

    @Flag(help: "The file has a transaction id of each customer. Fetch the histories from the App Store.")
    var ids = false

    @Option(help: ArgumentHelp("With --ids: the column of the customer's id. Default: customerId.", valueName: "name"))
    var customerColumn: String?

    @Option(help: ArgumentHelp("With --ids: the column of the transaction id. Default: transactionId.", valueName: "name"))
    var transactionColumn: String?

    @Argument(help: "The file, one JSON text a line, or CSV with --ids.")
    var file: String

    func validate() throws {
        guard ids || (customerColumn == nil && transactionColumn == nil) else {
            throw ValidationError("--customer-column and --transaction-column go with --ids")
        }
    }

    func run() async throws {
        let tools = try HistoryTools(options, bundleID: bundleID)
        if ids { return try await importIDs(tools) }
        let store = try tools.configuration.openPurchaseStore(cacheMebibytes: 256, onWait: StandardError.note)
        let system = SystemEnvironment.live
        try await record(tools)
        let reader = try SignedDataReader(tools.configuration, system: system)
        let notifications = NotificationIntake(
            intake: HistoryIntake(store: store.histories, reader: reader, system: system, keeper: keeper(tools)))
        let work = HistoryImport(
            decoder: ImportLine(app: tools.app, reader: reader, notifications: notifications, system: system),
            store: store.bulk,
            progress: store.progress,
            name: try name(of: tools.app),
            workers: ProcessorCount.usable
        )
        let start = restart ? HistoryImport.State() : try await work.lastState()
        if start.line > 1 { note("going on at line \(start.line)") }
        let rejects = try RejectionFile(path: "\(file).rejected.jsonl", keeping: start.rejected)
        let begin = ContinuousClock.now
        let end = try await work.run(path: file, from: start, reject: rejects.append) { state in
            note("line \(state.line - 1): \(state.transactions) transactions, \(state.rejected) lines rejected")
        }
        let seconds = (ContinuousClock.now - begin) / .seconds(1)
        try store.file.close()
        try conclude(end, since: start, seconds: seconds)
    }

    /// Prints the totals. Throws if lines were rejected.
    func conclude(_ end: HistoryImport.State, since start: HistoryImport.State, seconds: Double) throws {
        print(
            """
            {"lines":\(end.line - 1),"transactions":\(end.transactions),"changed":\(end.changed),\
            "unchanged":\(end.unchanged),"rejected":\(end.rejected),\
            "seconds":\((seconds * 1000).rounded() / 1000),\
            "transactionsPerSecond":\(Int(Double(end.transactions - start.transactions) / max(seconds, 0.001)))}
            """)
        guard end.rejected == 0 else {
            note("see \(file).rejected.jsonl")
            throw ExitCode(2)
        }
    }

    /// Returns the keeper that seals receipts with the service's secret; nil if the app is not polled with receipts.
    private func keeper(_ tools: HistoryTools) -> ReceiptKeeper? {
        guard tools.app.isPolledByReceipt else { return nil }
        let logger = Logger(label: "offersigner") { _ in SwiftLogNoOpLogHandler() }
        let vault = ReceiptVault(
            folder: ReceiptSecretFolder(directory: tools.configuration.keys.directory), logger: logger)
        vault.follow()
        if !vault.hasSecret {
            note("no receipt is kept: there is no receipt secret, see docs/operations.md#polling-with-receipts")
        }
        return ReceiptKeeper(vault: vault)
    }

    /// Records the import in the audit log, before any history is written.
    ///
    /// The histories are in another file than the audit log, so a record afterwards could be missing for a change.
    func record(_ tools: HistoryTools) async throws {
        let signing = try tools.configuration.openSigningStore(onWait: StandardError.note)
        try await signing.audit.record([
            Origin.commandLine.event(
                .importHistory, at: SystemEnvironment.live.now(), partition: tools.app.partition,
                object: AuditObject(file.split(separator: "/").last.map(String.init)))
        ])
        try await signing.closeSealed(tools.configuration)
    }

    /// Returns the name under which the progress is stored. It is the same if the same file is imported again unchanged.
    func name(of app: App) throws -> String {
        guard let status = FileStatus(path: file) else { throw FileError("\(file): \(String(cString: strerror(errno)))") }
        let path = file.hasPrefix("/") ? file : "\(FileManager.default.currentDirectoryPath)/\(file)"
        return "\(app.bundleID):\(status.size):\(status.modifiedAt):\(path)"
    }

    func note(_ text: String) { StandardError.note(text) }
}
