import EligibilityRules
import Hummingbird
import NIOCore
import OfferService
import Synchronization

/// What goes with a request through Hummingbird.
struct OperationContext: RequestContext {
    /// Who came in to which operation; the way back has no other.
    final class Visit: Sendable {
        private struct State {
            var requestID = ""
            var entered: (route: String, admission: Gate.Admission?)?
        }

        private let state = Mutex(State())

        /// The path of the operation, and who was let in.
        var current: (route: String, admission: Gate.Admission?)? { state.withLock(\.entered) }

        /// The request's id.
        var requestID: String { state.withLock(\.requestID) }

        /// Notes which request it is.
        func begin(_ requestID: String) { state.withLock { $0.requestID = requestID } }

        /// Notes that it is this operation's request.
        func enter(_ route: String, _ admission: Gate.Admission? = nil) { state.withLock { $0.entered = (route, admission) } }
    }

    var coreContext: CoreRequestContextStorage
    let visit = Visit()
    /// The address that the connection comes from; empty for one that has gone already.
    let peer: String
    private let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        peer = source.channel.remoteAddress?.ipAddress ?? ""
        channel = source.channel
    }

    /// Runs an operation, and cancels it when the client has gone; then it throws a `ClientGone`.
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

    /// The body of the request, which came as a secret; joined and let go of by the connection.
    func secretBody() async throws -> SecretBytes {
        let parts = try? await channel.eventLoop.submit { [channel] in
            let handler = try channel.pipeline.syncOperations.handler(type: EndpointHandler.self)
            defer { handler.secret = nil }
            return handler.secret ?? []
        }.get()
        guard let parts else { throw ClientGone() }
        return SecretBytes(joining: parts)
    }

    /// When the certificate expires that the client has shown; nil if it has shown none.
    func clientCertificateExpiry() async -> Instant? {
        let channel = channel
        return try? await channel.eventLoop.submit { channel.clientCertificateExpiry }.get()
    }
}
