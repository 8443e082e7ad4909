package import EligibilityRules
import WireText

// https://developer.apple.com/documentation/appstoreserverapi/send-consumption-information
extension ServerAPI {
    /// Sends the consumption information that a notification has asked for. Apple accepts it within 12 hours of that
    /// notification.
    ///
    /// - Parameters:
    ///   - body: the result of `consumption(_:)`.
    ///   - environment: the transaction's environment, which the signed notification states.
    package func sendConsumption(
        _ body: [UInt8],
        ofTransaction transactionID: String,
        in environment: AppStoreEnvironment
    ) async throws(AppStoreError) {
        let id = try URLText.transactionID(transactionID)
        _ = try await ask(in: environment, .put, "/inApps/v2/transactions/consumption/\(id)", .json(body))
    }

    /// Returns the body that `sendConsumption` sends. It states that the customer has consented, because Apple accepts no other
    /// answer.
    package static func consumption(_ answer: RefundAnswer) -> [UInt8] {
        JSONWriter.bytes { json in
            json.append(raw: #"{"customerConsented":true,"sampleContentProvided":"#)
            json.append(raw: answer.sampleContentProvided ? "true" : "false")
            json.append(raw: #","deliveryStatus":"#)
            json.append(answer.deliveryStatus.rawValue)
            if let share = answer.consumptionPercentage {
                json.append(raw: #","consumptionPercentage":"#)
                json.append(Int64(share))
            }
            if let preference = answer.preference {
                json.append(raw: #","refundPreference":"#)
                json.append(preference.rawValue)
            }
            json.append(raw: "}")
        }
    }
}
