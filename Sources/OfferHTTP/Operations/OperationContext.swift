import EligibilityRules
import Hummingbird
import NIOCore
import OfferService
import Synchronization

/// The context that Hummingbird passes along with a request.
struct OperationContext: RequestContext {
    /// Records which operation a request is for, and who calls it. The middleware logs both, and has no other way to find them
    /// out.
    final class Visit: Sendable {
        private struct State {
            var requestID = ""
            var entered: (route: String, admission: Gate.Admission?)?
        }

        private let state = Mutex(State())

        /// The path of the operation, and the admission once it is decided; nil as long as no operation is found for the request.
        var current: (route: String, admission: Gate.Admission?)? { state.withLock(\.entered) }

        var requestID: String { state.withLock(\.requestID) }

        func begin(_ requestID: String) { state.withLock { $0.requestID = requestID } }

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

    /// Runs an operation.
    ///
    /// If the client closes its side of the connection meanwhile, the operation is cancelled and `ClientGone` is thrown.
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

    /// Returns the secret body of the request in one piece.
    ///
    /// The connection keeps no copy of it.
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
