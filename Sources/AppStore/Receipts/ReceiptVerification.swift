import EligibilityRules
import WireText

/// Asks verifyReceipt about receipts (docs/app-store.md#receipts).
///
/// It asks production first. If production answers 21007, the receipt is from the sandbox, and it asks there.
package struct ReceiptVerification: Sendable {
    private let production: AppStoreHost
    private let sandbox: AppStoreHost

    /// - Parameter endpoints: the complete URLs of verifyReceipt, including the path.
    package init(
        endpoints: AppStoreEndpoints.Pair,
        transport: any AppStoreTransport,
        policy: CallPolicy = CallPolicy(),
        system: CallEnvironment
    ) {
        func host(_ environment: AppStoreEnvironment, _ url: String) -> AppStoreHost {
            AppStoreHost(
                environment, at: url, interval: 0, transport: transport, policy: policy, system: system)
        }
        production = host(.production, endpoints.production)
        sandbox = host(.sandbox, endpoints.sandbox)
    }

    /// Returns the App Store's response about a receipt.
    ///
    /// It does not throw if the App Store refuses the receipt: the status of the response says that.
    ///
    /// - Parameters:
    ///   - receiptData: the receipt in Base64.
    ///   - sharedSecret: the app's shared secret; nil if no receipt of the app has subscriptions.
    package func verify(receiptData: String, sharedSecret: String?) async throws(AppStoreError) -> ReceiptResponse {
        let body = ReceiptVerification.body(receiptData, sharedSecret)
        let response = try await ask(production, body)
        return response.status == ReceiptStatus.sandboxReceipt ? try await ask(sandbox, body) : response
    }

    private func ask(_ host: AppStoreHost, _ body: [UInt8]) async throws(AppStoreError) -> ReceiptResponse {
        let environment: PurchaseEnvironment = host.environment == .production ? .production : .sandbox
        return try await host.call { url throws(AppStoreError) in
            AppStoreRequest(url, "", body: body)
        } judge: { response, attempt in
            ReceiptVerification.judge(response, attempt, environment)
        }
    }

    private static func body(_ receiptData: String, _ sharedSecret: String?) -> [UInt8] {
        JSONWriter.bytes { json in
            json.append(raw: #"{"receipt-data":"#)
            json.append(receiptData)
            if let sharedSecret {
                json.append(raw: #","password":"#)
                json.append(sharedSecret)
            }
            json.append(raw: #","exclude-old-transactions":false}"#)
        }
    }

    private static func judge(
        _ response: AppStoreResponse,
        _ attempt: Int,
        _ environment: PurchaseEnvironment
    ) -> Judgement<ReceiptResponse> {
        guard response.status == 200 else { return response.judgedByStatus() }
        guard let json = try? JSONValue(parsing: response.body), let receipt = ReceiptResponse(json, from: environment)
        else {
            return .final(.failure(AppStoreError(.malformedAnswer, "verifyReceipt answered without a status")))
        }
        let error = AppStoreError(
            .unavailable, "verifyReceipt answers status \(receipt.status)", appleCode: Int64(receipt.status))
        switch receipt.status {
        case ReceiptStatus.unavailable: return .hostFailure(error)
        case ReceiptStatus.internalError: return .retry(orElse: .failure(error))
        case ReceiptStatus.internalErrors where receipt.isRetryable: return .retry(orElse: .failure(error))
        // The receipt is probably malformed, but the service may also have failed to read it. It is sent once more.
        case ReceiptStatus.malformedOrTemporary where attempt == 1: return .retry(orElse: .success(receipt))
        default: return .final(.success(receipt))
        }
    }
}

/// The statuses of verifyReceipt to which OfferSigner reacts: it asks again, asks the sandbox, or gives advice.
package enum ReceiptStatus {
    /// The receipt is malformed, or verifyReceipt could not read it just now.
    package static let malformedOrTemporary = 21002
    /// The password is not the app's shared secret.
    package static let wrongSecret = 21004
    /// The verifyReceipt service is temporarily unavailable.
    package static let unavailable = 21005
    /// A sandbox receipt was sent to production.
    static let sandboxReceipt = 21007
    /// An internal error of the App Store. The same request may succeed later.
    static let internalError = 21009
    /// Internal errors of the App Store. The field `is_retryable` says whether the same request may succeed later.
    static let internalErrors = 21100...21199
}
