import OfferService
import Synchronization

/// Limits the number of connections, both in total and for each client address.
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

    /// Decides about a new connection. Returns nil if it may stay, and otherwise the reason for refusing it.
    ///
    /// Only a connection that may stay is counted, so call `leave` only for such a connection.
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

    /// Stops counting a connection that has ended.
    func leave(_ address: PeerAddress) {
        state.withLock { state in
            state.count -= 1
            let own = state.byAddress[address, default: 1] - 1
            // An address without connections is removed, because otherwise the table would grow for ever.
            state.byAddress[address] = own > 0 ? own : nil
        }
    }
}
