import OfferService
import WireText

extension Operation {
    static let listAccessKeys = Operation(
        id: "listAccessKeys", method: .get, path: "/v1/admin/access", access: .needs(.access),
        about: About(
            tag: "access",
            summary: "List the access keys",
            text: "Without their secrets. A caller with some apps sees the keys for these apps only.",
            parameters: ["limit", "after"],
            successes: [
                Success("The keys.", "AccessKeys")
            ]))

    static let createAccessKey = Operation(
        id: "createAccessKey", method: .post, path: "/v1/admin/access", access: .needs(.access),
        about: About(
            tag: "access",
            summary: "Make an access key",
            text: "A caller cannot make a key with a role above their own, or for apps that they may not see.",
            body: Body(.accessKeyRequest),
            successes: [
                Success("The key, with its secret, which is shown this once.", "CreatedAccessKey", status: 201)
            ],
            problems: [404: "UnknownApp", 413: "BodyTooLarge"]))

    static let getAccessKey = Operation(
        id: "getAccessKey", method: .get, path: "/v1/admin/access/{id}", access: .needs(.access),
        about: About(
            tag: "access",
            summary: "Show an access key",
            text: "Without its secret.",
            parameters: ["id"],
            successes: [
                Success("The key.", "AccessKey")
            ],
            problems: [404: "UnknownAccessKey"]))

    static let revokeAccessKey = Operation(
        id: "revokeAccessKey", method: .delete, path: "/v1/admin/access/{id}", access: .needs(.access),
        about: About(
            tag: "access",
            summary: "Revoke an access key",
            text: "Running services refuse it within a quarter of a second.",
            parameters: ["id"],
            successes: [
                Success("It is revoked.", "AccessKey")
            ],
            problems: [404: "UnknownAccessKey"]))
}

extension NamedSchema {
    static let accessKey = NamedSchema(
        "AccessKey",
        "An access key, without its secret.",
        [
            Field("id", .text, "Its id.", example: "0123456789abcdef"),
            Field(
                "role", .known("client", "backend", "marketing", "approver", "security", "viewer", "admin"),
                "What the access key may do.",
                example: "backend"),
            Field("bundleIds", .list(.text).orNull, "The apps that it is for; null: every app, also later ones."),
            Field("note", .text, "What it is for.", example: "marketing-1"),
            Field("timeZone", .text, "The IANA time zone of its holder.", example: "Europe/Berlin"),
            Field("createdAt", .integer(0...), "When it was made.", example: 1_795_000_000_000),
            Field(
                "createdBy", .text.orNull,
                "The maker: an access key's id; null: the command line.",
                example: "0123456789abcdef"),
            Field("expiresAt", .integer(0...).orNull, "When it ends; null: never.", example: 1_795_000_000_000),
            Field(
                "lastUsedAt", .integer(0...).orNull,
                "When it was used last, to some 15 seconds; null: never.",
                example: 1_795_000_000_000),
            Field("revokedAt", .integer(0...).orNull, "When it was revoked; null if it was not.", example: 1_795_000_000_000),
        ])

    static let createdAccessKey = NamedSchema(
        "CreatedAccessKey",
        "An access key that was just made.",
        [
            Field("id", .text, "Its id.", example: "0123456789abcdef"),
            Field(
                "role", .known("client", "backend", "marketing", "approver", "security", "viewer", "admin"),
                "What the access key may do.",
                example: "backend"),
            Field("bundleIds", .list(.text).orNull, "The apps that it is for; null: every app, also later ones."),
            Field("note", .text, "What it is for.", example: "marketing-1"),
            Field("timeZone", .text, "The IANA time zone of its holder.", example: "Europe/Berlin"),
            Field("createdAt", .integer(0...), "When it was made.", example: 1_795_000_000_000),
            Field(
                "createdBy", .text.orNull,
                "The maker: an access key's id; null: the command line.",
                example: "0123456789abcdef"),
            Field("expiresAt", .integer(0...).orNull, "When it ends; null: never.", example: 1_795_000_000_000),
            Field(
                "lastUsedAt", .integer(0...).orNull,
                "When it was used last, to some 15 seconds; null: never.",
                example: 1_795_000_000_000),
            Field("revokedAt", .integer(0...).orNull, "When it was revoked; null if it was not.", example: 1_795_000_000_000),
            Field("accessKey", .text, "The whole key, shown this once.", example: "osk_0123456789abcdef_…"),
        ])

    static let accessKeys = NamedSchema(
        "AccessKeys",
        "Access keys, the oldest first.",
        [
            Field("items", .list(.named("AccessKey")), "The keys."),
            .next,
        ])

    static let accessKeyRequest = NamedSchema(
        "AccessKeyRequest",
        "The properties of a new access key.",
        [
            Field(
                "role", .one(of: "client", "backend", "marketing", "approver", "security", "viewer", "admin"),
                "What the access key may do.",
                example: "backend"),
            Field(
                optional: "bundleIds", .list(.name, RequestBounds.apps).orNull,
                "The apps that it is for; left out: every app, also later ones."),
            Field(
                optional: "expiresAt", .integer(RequestBounds.instants).orNull,
                "When it ends; left out: never.",
                example: 1_795_000_000_000),
            Field(
                "note", .text(within: .accessNote, from: 1, matching: Schema.plainText),
                "What it is for: people know it by this.",
                example: "marketing-1"),
            Field(
                optional: "timeZone", .someText.orNull,
                "The IANA time zone of its holder; left out: UTC.",
                example: "Europe/Berlin"),
        ])
}
