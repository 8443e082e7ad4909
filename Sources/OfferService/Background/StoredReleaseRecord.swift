import AppStore
package import OfferStore

/// Keeps in the store that Production has answered an app. A failure to read or write counts as not noted, and is made up for by
/// the next answer.
package actor StoredReleaseRecord: ReleaseRecord {
    private let progress: any ProgressStore
    private let name: String
    private var isWritten = false

    /// Takes the values as they are.
    package init(_ progress: any ProgressStore, bundleID: String) {
        self.progress = progress
        name = "production-answered:\(bundleID)"
    }

    package var isNoted: Bool {
        get async {
            if !isWritten { isWritten = (try? await progress.progress(name)) != nil }
            return isWritten
        }
    }

    package func note() async {
        guard await !isNoted else { return }
        isWritten = (try? await progress.setProgress(name, to: "yes")) != nil
    }
}
