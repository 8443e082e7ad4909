package import AppStore
import FoundationEssentials
import WireText

/// Reports bindings to the App Store, so that its transactions carry the customer's UUID from then on.
package struct TokenWriteBack: Sendable {
    /// The outcome of a write.
    package enum Outcome: Equatable, Sendable {
        case written
        /// The error in words; the binding stands.
        case notWritten(String)
    }

    private let serverAPIs: [String: ServerAPI]

    /// - Parameter serverAPIs: by bundle id.
    package init(serverAPIs: [String: ServerAPI]) { self.serverAPIs = serverAPIs }

    /// Writes the token, or else the customer's id if that is a UUID.
    ///
    /// Returns nil if there is neither, or the app does not want that.
    func write(_ token: UUID?, of customerID: String, to originalTransactionID: String, _ app: App) async -> Outcome? {
        guard app.rules.writesAppAccountToken, let token = token ?? UUID(text: customerID),
            let serverAPI = serverAPIs[app.bundleID]
        else { return nil }
        do {
            try await serverAPI.setAppAccountToken(
                token.lowerCaseString, ofOriginalTransaction: originalTransactionID, of: app.identity.environment)
            return .written
        } catch {
            return .notWritten("\(error)")
        }
    }
}
