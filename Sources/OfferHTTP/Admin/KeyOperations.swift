import OfferService
import WireText

extension Operation {
    static let listSigningKeys = Operation(
        id: "listSigningKeys", method: .get, path: "/v1/admin/keys", access: .needs(.keys),
        about: About(
            tag: "keys",
            summary: "List the signing keys",
            text: """
                Every key of the key folder with its state in each app, the proposals that wait for a second person, and \
                warnings.
                """,
            parameters: ["limit", "after"],
            successes: [
                Success("The keys.", "SigningKeys")
            ]))

    static let stageSigningKey = Operation(
        id: "stageSigningKey", method: .post, path: "/v1/admin/keys", access: .needs(.keys),
        about: About(
            tag: "keys",
            summary: "Stage a signing key",
            text: """
                Puts a key into the key folder; it signs nothing until it is activated. With an access key for some apps, the \
                key is for these apps only.
                """,
            body: Body(.stagedSigningKey, size: 64 << 10),
            successes: [
                Success("The key is staged.", "SigningKey", status: 201)
            ],
            problems: [404: "UnknownKey", 409: "KeyFolderReadOnly", 413: "BodyTooLarge", 422: "UnusableKey"]))

    static let getSigningKey = Operation(
        id: "getSigningKey", method: .get, path: "/v1/admin/keys/{keyId}", access: .needs(.keys),
        about: About(
            tag: "keys",
            summary: "Show a signing key",
            text: "Its state in each app that you may see.",
            parameters: ["keyId"],
            successes: [
                Success("The key.", "SigningKey")
            ],
            problems: [404: "UnknownKey"]))

    static let activateSigningKey = Operation(
        id: "activateSigningKey", method: .post, path: "/v1/admin/keys/{keyId}/activate", access: .needs(.keys),
        about: About(
            tag: "keys",
            summary: "Have a key sign",
            text: "It signs from now on; the key before it stops signing and retires.",
            parameters: ["keyId"],
            body: Body(.keyDecisionRequest, size: 64 << 10),
            successes: [
                Success("Done.", "KeyChanges"),
                Success("It waits for a second person.", "PendingKeyChangeId", status: 202),
            ],
            problems: [404: "UnknownKey", 409: "KeyConflict", 413: "BodyTooLarge"]))

    static let rollBackSigningKey = Operation(
        id: "rollBackSigningKey", method: .post, path: "/v1/admin/keys/{keyId}/rollback", access: .needs(.keys),
        about: About(
            tag: "keys",
            summary: "Undo an activation",
            text: "The key that signed before it signs again.",
            parameters: ["keyId"],
            body: Body(.keyDecisionRequest, size: 64 << 10),
            successes: [
                Success("Done.", "KeyChanges"),
                Success("It waits for a second person.", "PendingKeyChangeId", status: 202),
            ],
            problems: [404: "UnknownKey", 409: "KeyConflict", 413: "BodyTooLarge"]))

    static let revokeSigningKey = Operation(
        id: "revokeSigningKey", method: .post, path: "/v1/admin/keys/{keyId}/revoke", access: .needs(.keys),
        about: About(
            tag: "keys",
            summary: "Revoke a signing key",
            text: "It never signs again. This is for the service; revoke the key in App Store Connect, too.",
            parameters: ["keyId"],
            body: Body(.keyRevocationRequest, size: 64 << 10),
            successes: [
                Success("Done.", "KeyChanges"),
                Success("It waits for a second person.", "PendingKeyChangeId", status: 202),
            ],
            problems: [404: "UnknownKey", 409: "KeyConflict", 413: "BodyTooLarge"]))

    static let withdrawKeyChange = Operation(
        id: "withdrawKeyChange", method: .delete, path: "/v1/admin/keys/proposals/{id}", access: .needs(.keys),
        about: About(
            tag: "keys",
            summary: "Withdraw a proposal",
            text: "Removes a proposal that waits for a second person.",
            parameters: ["id"],
            successes: [
                Success("It is withdrawn.", "Withdrawal")
            ],
            problems: [404: "UnknownProposal"]))
}

extension NamedSchema {
    static let keyInApp = NamedSchema(
        "KeyInApp",
        "What a signing key is in one app.",
        [
            Field("bundleId", .text, "The app.", example: "com.example.app"),
            Field(
                "state", .known("staged", "active", "retiring", "retired", "revoked"),
                "Where a key stands: `staged`, `active`, `retiring`, `retired` or `revoked`."),
            Field(
                "lastSignedAt", .integer(0...).orNull,
                "When it signed last, if that is less than 24 hours ago.",
                example: 1_795_000_000_000),
            Field("signatures", .integer(0...), "How many signatures it made in the last 24 hours.", example: 18412),
            Field(
                "safeToRevokeAt", .integer(0...).orNull,
                """
                The time from which it can be revoked in App Store Connect without loss of a signature, in any app; null for \
                an active or staged key.
                """,
                example: 1_795_000_000_000),
            Field("decidedAt", .integer(0...).orNull, "The time of the last decision about it.", example: 1_795_000_000_000),
            Field(
                "decidedBy", .text.orNull,
                "The actor: an access key's id, `command-line` or `first-start`.",
                example: "0123456789abcdef"),
            Field("reason", .text.orNull, "Why.", example: "planned rotation"),
        ])

    static let signingKey = NamedSchema(
        "SigningKey",
        "A signing key; its private half is never shown.",
        [
            Field("keyId", .text, "Apple's key id.", example: "ABCDEFGHIJ"),
            Field(
                "fingerprint", .text(matching: "^[0-9a-f]{64}$"),
                "SHA-256 of the public key (SubjectPublicKeyInfo), in hexadecimal."),
            Field("apps", .list(.named("KeyInApp")), "Every app that it serves and that you may see."),
        ])

    static let pendingKeyChange = NamedSchema(
        "PendingKeyChange",
        "A decision that waits for a second person.",
        [
            Field("id", .text, "Its id.", example: "90b3de1ba0ae4f25"),
            Field("action", .known("activate", "rollback", "revoke", "revoke-even-if-active"), "What is wanted."),
            Field("keyId", .text, "Apple's key id.", example: "ABCDEFGHIJ"),
            Field("bundleIds", .list(.text), "The apps that it is for."),
            Field("proposedAt", .integer(0...), "When it was proposed.", example: 1_795_000_000_000),
            Field("proposedBy", .text, "The proposer: an access key's id.", example: "0123456789abcdef"),
            Field("reason", .text, "Why."),
            Field("expiresAt", .integer(0...), "Until when it waits.", example: 1_795_000_000_000),
        ])

    static let signingKeys = NamedSchema(
        "SigningKeys",
        "Signing keys, in the order of their ids.",
        [
            Field("items", .list(.named("SigningKey")), "The keys."),
            .next,
            Field("pending", .list(.named("PendingKeyChange")), "What waits for a second person."),
            Field("warnings", .list(.text), "Warnings, a sentence each."),
        ])

    static let stagedSigningKey = NamedSchema(
        "StagedSigningKey",
        "A key to put into the key folder.",
        [
            Field("keyId", .text(1...255, matching: "^[0-9A-Za-z]+$"), "Apple's key id.", example: "ABCDEFGHIJ"),
            Field("pem", .someText, "The text of SubscriptionKey_<KEYID>.p8. It is never shown again."),
        ])

    static let keyDecisionRequest = NamedSchema(
        "KeyDecisionRequest",
        "For which app a signing key is decided about, and why.",
        [
            Field(
                optional: "bundleId", .name.orNull,
                "The app. May be left out: every app that the key serves and you may act for.",
                example: "com.example.app"),
            Field(
                optional: "environment", .someText.orNull,
                "Must be the app's environment in this service, if given.",
                example: "Production"),
            Field(
                optional: "reason", .text(within: .reason).orNull, "Why, in your words; it is kept.", example: "planned rotation"),
        ])

    static let keyRevocationRequest = NamedSchema(
        "KeyRevocationRequest",
        "For which app a signing key is revoked, and why.",
        [
            Field(
                optional: "bundleId", .name.orNull,
                "The app. May be left out: every app that the key serves and you may act for.",
                example: "com.example.app"),
            Field(
                optional: "environment", .someText.orNull,
                "Must be the app's environment in this service, if given.",
                example: "Production"),
            Field(
                optional: "reason", .text(within: .reason).orNull, "Why, in your words; it is kept.", example: "planned rotation"),
            Field(
                optional: "evenIfActive", .flag.with("default", false).orNull,
                "Whether the app may be left without a key that signs."),
        ])

    static let keyChanges = NamedSchema(
        "KeyChanges",
        "What was decided.",
        [
            Field(
                "changes",
                .list(
                    .object([
                        Field("keyId", .text, "Apple's key id."),
                        Field("bundleId", .text, "The app."),
                        Field(
                            "state", .known("staged", "active", "retiring", "retired", "revoked"),
                            "Where a key stands: `staged`, `active`, `retiring`, `retired` or `revoked`."),
                    ]).with("description", "One key in one app.")),
                "Where keys stand now.")
        ])

    static let pendingKeyChangeId = NamedSchema(
        "PendingKeyChangeId",
        "It waits for a second person, who confirms it with the same request.",
        [
            Field("pending", .text, "The proposal's id.", example: "90b3de1ba0ae4f25")
        ])

    static let withdrawal = NamedSchema(
        "Withdrawal",
        "The proposal is withdrawn.",
        [
            Field("status", .always("withdrawn"))
        ])
}
