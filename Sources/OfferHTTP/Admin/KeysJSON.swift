import OfferService
import WireText

/// Signing keys as the API shows them, without private keys.
enum KeysJSON {
    /// Returns one key, with its state in each of its apps.
    static func key(_ statuses: [KeyDesk.KeyStatus]) -> JSONValue {
        .members([
            "keyId": .string(statuses[0].keyID), "fingerprint": .string(statuses[0].fingerprint),
            "apps": .array(
                statuses.map { status in
                    .members([
                        "bundleId": .string(status.bundleID), "state": .string(status.stateName),
                        "lastSignedAt": .instant(status.lastSignedAt), "signatures": .number("\(status.signatures)"),
                        "safeToRevokeAt": .instant(status.safeToRevokeAt), "decidedAt": .instant(status.decidedAt),
                        "decidedBy": .text(status.decidedBy), "reason": .text(status.reason),
                    ])
                }),
        ])
    }

    /// Returns a change that waits for a second person.
    static func pending(_ proposal: KeyChange.Pending) -> JSONValue {
        .members([
            "id": .string(proposal.id), "action": .string(proposal.requestName), "keyId": .string(proposal.keyID),
            "bundleIds": .texts(proposal.bundleIDs), "proposedAt": .instant(proposal.proposedAt),
            "proposedBy": .string(proposal.proposedBy), "reason": .string(proposal.reason),
            "expiresAt": .instant(proposal.expiresAt),
        ])
    }

    /// Returns the outcome of a requested change.
    static func change(_ change: KeyChange) -> JSONValue {
        switch change {
        case .pending(let proposal): .members(["pending": .string(proposal.id)])
        case .decided(let decisions):
            .members([
                "changes": .array(
                    decisions.map {
                        .members(["keyId": .string($0.keyID), "bundleId": .string($0.bundleID), "state": .string($0.state)])
                    })
            ])
        }
    }
}
