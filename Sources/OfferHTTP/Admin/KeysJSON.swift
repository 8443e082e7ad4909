import OfferService
import WireText

/// Signing keys as the API shows them, without private keys.
enum KeysJSON {
    /// Returns one key, with its state in each of its apps.
    static func key(_ lines: [KeyDesk.Line]) -> JSONValue {
        .members([
            "keyId": .string(lines[0].keyID), "fingerprint": .string(lines[0].fingerprint),
            "apps": .array(
                lines.map { line in
                    .members([
                        "bundleId": .string(line.bundleID), "state": .string(line.stateName),
                        "lastSignedAt": .instant(line.lastSignedAt), "signatures": .number("\(line.signatures)"),
                        "safeToRevokeAt": .instant(line.safeToRevokeAt), "decidedAt": .instant(line.decidedAt),
                        "decidedBy": .text(line.decidedBy), "reason": .text(line.reason),
                    ])
                }),
        ])
    }

    /// Returns a change that waits for a second person.
    static func pending(_ proposal: KeyChange.Pending) -> JSONValue {
        .members([
            "id": .string(proposal.id), "action": .string(proposal.wish), "keyId": .string(proposal.keyID),
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
