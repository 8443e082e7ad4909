import Hummingbird
import Synchronization

/// What goes with a request through Hummingbird.
struct OperationContext: RequestContext {
    /// Who came in to which operation; the way back has no other.
    final class Visit: Sendable {
        private let state = Mutex<(route: String, admission: Gate.Admission?)?>(nil)

        /// The path of the operation, and who was let in.
        var current: (route: String, admission: Gate.Admission?)? { state.withLock { $0 } }

        /// Notes that it is this operation's request.
        func enter(_ route: String, _ admission: Gate.Admission? = nil) { state.withLock { $0 = (route, admission) } }
    }

    var coreContext: CoreRequestContextStorage
    let visit = Visit()

    init(source: ApplicationRequestContextSource) { coreContext = CoreRequestContextStorage(source: source) }
}
