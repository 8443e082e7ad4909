import HTTPTypes
import Hummingbird
import OfferService
import WireText

/// `/v1/customers/…`: what backends ask for that is no matter of microseconds.
struct CustomersController: Sendable {
    private static let transaction = "/v1/customers/{customerId}/transactions/{originalTransactionId}"

    let apps: AppDirectory
    let binding: CustomerBinding

    var routes: [OperationRoute] {
        [OperationRoute(path: Self.transaction, method: .delete, access: .needs(.history), respond: unbind)]
    }

    private func unbind(_ request: OperationRequest) async throws -> Response {
        let bundleID = try request.query(["bundleId"])["bundleId"]
        let app = try apps.app(named: bundleID, for: request.caller)
        let customerID = try request.identifier("customerId")
        let id = try request.transactionID("originalTransactionId")
        let status = try await binding.unbind(id, from: customerID, app, by: request.origin)
        return JSONValue.members(["status": .string(status.rawValue)]).asResponse()
    }
}

extension OperationRequest {
    /// A customer's id in the path.
    fileprivate func identifier(_ name: String) throws(RequestFault) -> String {
        let text = parameter(name)
        if let reason = Identifier.fault(of: text) { throw .invalidFields([FieldFault(name: name, reason: reason)]) }
        return text
    }

    /// An App Store transaction id in the path.
    fileprivate func transactionID(_ name: String) throws(RequestFault) -> String {
        let text = parameter(name)
        if let reason = Identifier.fault(ofTransactionID: text) { throw .invalidFields([FieldFault(name: name, reason: reason)]) }
        return text
    }
}
