package import AppStore
import FoundationEssentials
import WireText

/// Tells the App Store of bindings: who looks at the transactions sees the customer's UUID from then on.
package struct TokenWriteBack: Sendable {
    /// What became of it.
    package enum Outcome: Equatable, Sendable {
        case written
        /// The code and what it means; the binding stands.
        case notWritten(String)
    }

    private let serverAPIs: [String: ServerAPI]

    /// - Parameter serverAPIs: by bundle id.
    package init(serverAPIs: [String: ServerAPI]) { self.serverAPIs = serverAPIs }

    /// Writes the token, or the customer's id if it is a UUID, where the app wants that. Nil: there is nothing to write.
    func write(_ token: UUID?, of customerID: String, to originalTransactionID: String, _ app: App) async -> Outcome? {
        guard app.writesAppAccountToken, let token = token ?? UUID(text: customerID),
            let serverAPI = serverAPIs[app.bundleID]
        else { return nil }
        do {
            try await serverAPI.setAppAccountToken(
                token.lowerCaseString, ofOriginalTransaction: originalTransactionID, in: app.identity.environment)
            return .written
        } catch {
            return .notWritten("\(error)")
        }
    }
}
