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
        abstract: "Import receipts, notifications or signed transactions from JSON Lines.",
        discussion: """
            One JSON text a line: {"customerId": …, "receipt": {a verifyReceipt response}}, {"customerId": …, \
            "signedTransactions": [JWS, …], "signedRenewalInfos": [JWS, …], "complete": true if these are all of the Apple account}, {"notification": {a notification's body}}, a bare \
            verifyReceipt response, a bare notification, or a signed transaction as a string. customerId may be left out.
            After an interruption, the next run continues at the same place. Lines that cannot be used are reported in FILE.rejected.jsonl.
            The service may be running meanwhile.
            """
    )

    @OptionGroup var options: ConfigurationOptions

    @Option(name: .customLong("app"), help: ArgumentHelp("The app. Default: the only one.", valueName: "bundle id"))
    var bundleID: String?

    @Flag(help: "Begin at the first line, whatever an earlier run has done.")
    var restart = false

    @Argument(help: "The file, one JSON text a line.")
    var file: String

    func run() async throws {
        let tools = try HistoryTools(options, bundleID: bundleID)
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
    private func record(_ tools: HistoryTools) async throws {
        let signing = try tools.configuration.openSigningStore(onWait: StandardError.note)
        try await signing.audit.record([
            Origin.commandLine.event(
                .importHistory, at: SystemEnvironment.live.now(), partition: tools.app.partition,
                object: AuditObject(file.split(separator: "/").last.map(String.init)))
        ])
        try await signing.closeSealed(tools.configuration)
    }

    /// Returns the name under which the progress is stored. It is the same if the same file is imported again unchanged.
    private func name(of app: App) throws -> String {
        guard let status = FileStatus(path: file) else { throw FileError("\(file): \(String(cString: strerror(errno)))") }
        let path = file.hasPrefix("/") ? file : "\(FileManager.default.currentDirectoryPath)/\(file)"
        return "\(app.bundleID):\(status.size):\(status.modifiedAt):\(path)"
    }

    private func note(_ text: String) { StandardError.note(text) }
}
