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

    /// Counts a new connection, and returns nil if it may stay.
    ///
    /// A connection that may not stay is not counted, so call `leave` only for one that stayed.
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
            // Removes an address without connections, because the number of addresses would only grow.
            state.byAddress[address] = own > 0 ? own : nil
        }
    }
}
