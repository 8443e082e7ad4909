import EligibilityRules
import HTTPTypes
import Hummingbird
import NIOCore
import OfferService
import ServiceLifecycle
import WireText

/// `/v1/customers/…`: operations for backends. They need not be fast, so they are routed by Hummingbird.
struct CustomersController: Sendable {
    let apps: AppDirectory
    let binding: CustomerBinding
    let desk: CustomerDesk
    let refunds: RefundDesk

    var routes: [OperationRoute] {
        [
            OperationRoute(.getCustomer, respond: facts),
            OperationRoute(.eraseCustomer, respond: erase),
            OperationRoute(.getCustomerTimeline, endsWithClient: true, respond: timeline),
            OperationRoute(.exportCustomer, endsWithClient: true, respond: export),
            OperationRoute(.unbindTransaction, respond: unbind),
            OperationRoute(.mergeCustomers, respond: merge),
            OperationRoute(.stateConsumptionConsent, respond: state),
        ]
    }

    private func facts(_ request: OperationRequest) async throws -> Response {
        let (customerID, app) = try named(in: request)
        return CustomerJSON.facts(try await desk.facts(of: customerID, app), customerID: customerID).asResponse()
    }

    private func timeline(_ request: OperationRequest) async throws -> Response {
        let query = request.query
        let page = try ListPage(query)
        let customerID = try request.identifier("customerId")
        let app = try apps.app(named: query["bundleId"], for: request.caller).app(in: query.environment).withPurchases()
        try request.charge(try await desk.price(latestOnly: true))
        let timeline = try await desk.timeline(of: customerID, app)
        let since = JSONValue.Member(name: "signaturesSince", value: .instant(timeline.signaturesSince))
        return try page.json(of: timeline.events, id: \.id, with: [since], CustomerJSON.event).asResponse()
    }

    private func export(_ request: OperationRequest) async throws -> Response {
        let (customerID, app) = try named(in: request)
        try request.charge(try await desk.price(latestOnly: false))
        let export = try await desk.export(of: customerID, app, by: request.origin)
        return Response(
            status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: ResponseBody { writer in
                try await export.write({ CustomerJSON.facts($0, customerID: customerID) }) { bytes in
                    // A shutdown does not wait for the export. The answer then breaks off without its end mark, so that the
                    // client notices that it is incomplete.
                    if Task.isShuttingDownGracefully { throw CancellationError() }
                    try await writer.write(ByteBuffer(bytes: bytes))
                }
                try await writer.finish(nil)
            })
    }

    private func erase(_ request: OperationRequest) async throws -> Response {
        // An erasure covers all environments of the customer.
        let query = request.query
        let customerID = try request.identifier("customerId")
        let app = try apps.app(named: query["bundleId"], for: request.caller)
        try request.charge(try await desk.price(latestOnly: false))
        let erasure = try await desk.erase(customerID, app, by: request.origin)
        return CustomerJSON.erasure(erasure, bundleID: app.bundleID).asResponse()
    }

    private func named(in request: OperationRequest) throws -> (customerID: String, app: App) {
        let query = request.query
        let customerID = try request.identifier("customerId")
        return (
            customerID, try apps.app(named: query["bundleId"], for: request.caller).app(in: query.environment).withPurchases()
        )
    }

    private func merge(_ request: OperationRequest) async throws -> Response {
        let customerID = try request.identifier("customerId")
        let (bundleID, alias) = try request.read { reader in
            let alias = reader.text("from")
            if ExactText(alias) == ExactText(customerID) { reader.refuse("from", "must differ from the customer's own id") }
            return (reader.optionalText("bundleId"), alias)
        }
        let app = try apps.app(named: bundleID, for: request.caller)
        return try await binding.merge(alias, into: customerID, app, by: request.origin).asResponse
    }

    private func state(_ request: OperationRequest) async throws -> Response {
        let customerID = try request.identifier("customerId")
        let (bundleID, isGiven) = try request.read { reader in
            let isGiven = reader.optionalBool("consented")
            if !reader.has("consented") || reader.value("consented") == nil { reader.refuse("consented", "is missing") }
            return (reader.optionalText("bundleId"), isGiven ?? false)
        }
        let app = try apps.app(named: bundleID, for: request.caller)
        let consent = try await refunds.state(isGiven, of: customerID, app, by: request.origin)
        return JSONValue.of(consent).asResponse()
    }

    private func unbind(_ request: OperationRequest) async throws -> Response {
        let query = request.query
        let app = try apps.app(named: query["bundleId"], for: request.caller).app(in: query.environment).withPurchases()
        let customerID = try request.identifier("customerId")
        let id = try request.transactionID("originalTransactionId")
        let status = try await binding.unbind(id, from: customerID, app, by: request.origin)
        return status.asResponse
    }
}

extension BindingStatus {
    fileprivate var asResponse: Response { JSONValue.members(["status": .string(rawValue)]).asResponse() }
}

extension OperationRequest {
    /// Reads a customer's id in the path.
    fileprivate func identifier(_ name: String) throws(RequestFault) -> String {
        let text = parameter(name)
        if let reason = Identifier.fault(of: text) { throw .invalidFields([FieldFault(name: name, reason: reason)]) }
        return text
    }

    /// Reads an App Store transaction id in the path.
    fileprivate func transactionID(_ name: String) throws(RequestFault) -> String {
        let text = parameter(name)
        if let reason = Identifier.fault(ofTransactionID: text) { throw .invalidFields([FieldFault(name: name, reason: reason)]) }
        return text
    }
}
