import AppStore
package import OfferStore

/// Knows from the store that an app was released: Production has answered the service, or a purchase made there is stored.
///
/// If the store cannot be read or written, the answer is not recorded. The next answer is recorded instead.
package actor StoredReleaseRecord: ReleaseRecord {
    private let progress: any ProgressStore
    private let histories: any HistoryStore
    private let app: AppIdentity
    private let name: String
    private var isWritten = false

    package init(_ purchases: PurchaseStore, of app: App) {
        (progress, histories) = (purchases.progress, purchases.histories)
        self.app = app.identity
        name = "production-answered:\(app.bundleID)"
    }

    package var wasReleased: Bool {
        get async {
            if await hasAnswered { return true }
            guard app.environment == .production else { return false }
            // The groups are looked at, because each purchase of a subscription names its group. A stored history would prove
            // nothing, because a customer who has bought nothing may have one, too.
            let groups = try? await histories.seenGroups(partition: AppPartition(bundleID: app.bundleID))
            return groups?.isEmpty == false
        }
    }

    private var hasAnswered: Bool {
        get async {
            if !isWritten { isWritten = (try? await progress.progress(name)) != nil }
            return isWritten
        }
    }

    package func note() async {
        guard await !hasAnswered else { return }
        isWritten = (try? await progress.setProgress(name, to: "yes")) != nil
    }
}
