import OfferService
import Synchronization

/// The limits on connections, in total and for each address.
package final class ConnectionLimit: Sendable {
    /// The reason for refusing a connection.
    package enum Refusal: String {
        case total, address
    }

    private struct State {
        var count = 0
        var byAddress: [PeerAddress: Int] = [:]
    }

    private let total: Int
    private let perAddress: Int
    private let state = Mutex(State())

    package init(total: Int, perAddress: Int) {
        self.total = total
        self.perAddress = perAddress
    }

    /// Counts a connection in; returns nil if it may stay. Only a connection that stayed is counted out with `leave`.
    func enter(_ address: PeerAddress) -> Refusal? {
        state.withLock { state in
            guard state.count < total else { return .total }
            let own = state.byAddress[address, default: 0]
            guard own < perAddress else { return .address }
            state.byAddress[address] = own + 1
            state.count += 1
            return nil
        }
    }

    /// Counts a connection out.
    func leave(_ address: PeerAddress) {
        state.withLock { state in
            state.count -= 1
            let own = state.byAddress[address, default: 1] - 1
            // Addresses come and go, so one without connections is removed.
            state.byAddress[address] = own > 0 ? own : nil
        }
    }
}
