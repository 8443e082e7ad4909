import EligibilityRules
import Hummingbird
import NIOCore
import OfferService
import Synchronization

/// The context of a request through Hummingbird.
struct OperationContext: RequestContext {
    /// Records the operation of a request and its caller, for the middleware, which cannot learn them otherwise.
    final class Visit: Sendable {
        private struct State {
            var requestID = ""
            var entered: (route: String, admission: Gate.Admission?)?
        }

        private let state = Mutex(State())

        /// The path of the operation, and the admission.
        var current: (route: String, admission: Gate.Admission?)? { state.withLock(\.entered) }

        /// The request's id.
        var requestID: String { state.withLock(\.requestID) }

        /// Records the request's id.
        func begin(_ requestID: String) { state.withLock { $0.requestID = requestID } }

        /// Records the operation, and the admission.
        func enter(_ route: String, _ admission: Gate.Admission? = nil) { state.withLock { $0.entered = (route, admission) } }
    }

    var coreContext: CoreRequestContextStorage
    let visit = Visit()
    /// The address of the connection; empty if the client had already gone.
    let peer: String
    private let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        peer = source.channel.remoteAddress?.ipAddress ?? ""
        channel = source.channel
    }

    /// Runs an operation. If the client goes, cancels the operation and throws a `ClientGone`.
    func whileConnected<Value: Sendable>(_ operation: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let task = Task(operation: operation)
        channel.eventLoop.execute { [channel] in
            let handler = try? channel.pipeline.syncOperations.handler(type: EndpointHandler.self)
            handler?.onClientGone { task.cancel() }
        }
        return try await withTaskCancellationHandler {
            do { return try await task.value } catch is CancellationError where !Task.isCancelled { throw ClientGone() }
        } onCancel: {
            task.cancel()
        }
    }

    /// Returns the secret body of the request, joined. The connection then releases it.
    func secretBody() async throws -> SecretBytes {
        let parts = try? await channel.eventLoop.submit { [channel] in
            let handler = try channel.pipeline.syncOperations.handler(type: EndpointHandler.self)
            defer { handler.secret = nil }
            return handler.secret ?? []
        }.get()
        guard let parts else { throw ClientGone() }
        return SecretBytes(joining: parts)
    }

    /// Returns the expiry of the client's certificate; nil if the client presented none.
    func clientCertificateExpiry() async -> Instant? {
        let channel = channel
        return try? await channel.eventLoop.submit { channel.clientCertificateExpiry }.get()
    }
}
