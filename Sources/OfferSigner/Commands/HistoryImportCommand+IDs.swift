import AppStore
import EligibilityRules
import OfferService
import OfferSigning
import OfferStore
import Synchronization

extension HistoryImportCommand {
    /// The running service asks the App Store, too. Each of the two keeps to half of the rate that Apple allows.
    private static let sharers: Int64 = 2
    /// The least time between two lines that say why the import waits.
    private static let quiet = Duration.seconds(10)

    /// Imports a list that has a transaction id of each customer.
    func importIDs(_ tools: HistoryTools) async throws {
        let list = try TransactionList(
            at: file, names: TransactionList.Names(customer: customerColumn, transaction: transactionColumn))
        try await record(tools)
        let (door, system) = (try CommandDoor(options), SystemEnvironment.live)
        let store = try door.configuration.openPurchaseStore(onWait: StandardError.note)
        let app = tools.app
        let api = try await door.serverAPI(of: app.bundleID, store, sharers: Self.sharers)
        let reader = try SignedDataReader(tools.configuration, system: system)
        let work = TransactionListImport(
            refresh: HistoryRefresh(
                intake: HistoryIntake(store: store.histories, reader: reader, system: system), serverAPIs: [app.bundleID: api]),
            app: app, progress: store.progress, name: try name(of: app), system: system)
        let start = restart ? HistoryImport.State() : try await work.lastState()
        if start.line > 1 { note("going on at line \(start.line)") }
        let rejects = try RejectionFile(path: "\(file).rejected.jsonl", keeping: start.rejected)
        let begin = ContinuousClock.now
        let said = Mutex(begin - Self.quiet)
        let end = try await work.run(
            list, at: file, from: start, reject: rejects.append,
            report: { note("line \($0.line - 1): \($0.transactions) transactions, \($0.rejected) lines rejected") },
            wait: { reason in
                let isDue = said.withLock { last in
                    let isDue = .now - last >= Self.quiet
                    if isDue { last = .now }
                    return isDue
                }
                if isDue { StandardError.note(reason) }
            })
        try door.closeUnchanged()
        try store.file.close()
        try conclude(end, since: start, seconds: (ContinuousClock.now - begin) / .seconds(1))
    }
}
