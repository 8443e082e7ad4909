package import AppStore
import FoundationEssentials
import WireText

/// Writes bindings to the App Store, so that further transactions carry the customer's UUID as `appAccountToken`.
package struct TokenWriteBack: Sendable {
    /// How writing the token has ended.
    package enum Outcome: Equatable, Sendable {
        case written
        /// The token could not be written, for the reason in the text. The binding stands nevertheless.
        case notWritten(String)
    }

    private let serverAPIs: [String: ServerAPI]

    /// - Parameter serverAPIs: the Server APIs by bundle id.
    package init(serverAPIs: [String: ServerAPI]) { self.serverAPIs = serverAPIs }

    /// Writes the token or, if it is nil, the customer's id if that is a UUID.
    ///
    /// Returns nil if there is nothing to write, or if the app's configuration does not ask for it.
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
