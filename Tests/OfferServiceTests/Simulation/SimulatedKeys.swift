import OfferStore
import Synchronization

@testable import OfferService

/// What was decided about signing keys: one is active, those before it are revoked.
final class SimulatedKeys: Sendable {
    private let number = Mutex(1)

    var activeID: String { "KEY\(number.withLock { $0 })" }

    var revoked: Set<SigningKeyUse> {
        Set((1..<number.withLock { $0 }).map { SigningKeyUse(keyID: "KEY\($0)", bundleID: "com.example.app") })
    }

    /// Has another key sign, and revokes the one that did.
    func rotate() { number.withLock { $0 += 1 } }
}

/// What a replica knows of them: as much as it has heard.
final class LaggingKeys: OfferKeys {
    private struct Key: OfferKey {
        let id: String

        func sign(_ inputs: [SigningInput]) -> Signing {
            .done(inputs.map { _ in SigningOutput(token: .payload([1]), digest: Array(repeating: 0, count: 32)) })
        }
    }

    private let keys: SimulatedKeys
    private let known: Mutex<String>

    init(_ keys: SimulatedKeys) {
        self.keys = keys
        known = Mutex(keys.activeID)
    }

    func activeKey(for _: String) -> (any OfferKey)? { Key(id: known.withLock { $0 }) }

    func isGood(_ keyID: String, for _: String) -> Bool { keyID == known.withLock { $0 } }

    func refresh() { known.withLock { $0 = keys.activeID } }

    func noActiveKey(for bundleID: String) -> IssueError { .notReady(bundleID) }
}
