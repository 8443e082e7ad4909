import EligibilityRules
import OfferService
import WireText

extension Operation {
    static let listApps = Operation(
        id: "listApps", method: .get, path: "/v1/admin/apps", access: .needs(.catalogue),
        about: About(
            tag: "apps",
            summary: "List the apps",
            text: "The apps of the configuration that you may see.",
            parameters: ["limit", "after"],
            successes: [
                Success("The apps.", "Apps")
            ]))

    static let getCatalogue = Operation(
        id: "getCatalogue", method: .get, path: "/v1/admin/apps/{bundleId}/catalogue", access: .needs(.catalogue),
        about: About(
            tag: "apps",
            summary: "Show an app's catalogue",
            text: "Its products and offers.",
            parameters: ["bundleId"],
            successes: [
                Success("The catalogue.", "Catalogue")
            ],
            problems: [404: "UnknownApp"]))

    static let listReplicas = Operation(
        id: "listReplicas", method: .get, path: "/v1/admin/replicas", access: .needs(.replicas),
        about: About(
            tag: "replicas",
            summary: "List the replicas",
            text: "The processes that serve the store, and those that died less than a day ago.",
            parameters: ["limit", "after"],
            successes: [
                Success("The replicas.", "Replicas")
            ]))
}

extension NamedSchema {
    static let app = NamedSchema(
        "App",
        "An app of the configuration.",
        [
            Field("bundleId", .text, "The app.", example: "com.example.app"),
            Field("environment", .text, "Which data of the App Store's is its own.", example: "Production"),
            Field("sandbox", .flag, "Whether the Sandbox beside Production is taken as well."),
            Field("xcode", .flag, "Whether offers are signed for StoreKit Testing in Xcode, with the key of its own."),
            Field("eligibility", .known("enforce", "advise"), "What a negative verdict does to a signature."),
            Field(
                "twoPersonKeys", .flag,
                "Whether a second person must agree before another key signs for it, or one is revoked."),
            Field("activeKeyId", .text.orNull, "The key that signs for it.", example: "ABCDEFGHIJ"),
            Field("products", .integer(0...), "How many products its catalogue has."),
        ])

    static let apps = NamedSchema(
        "Apps",
        "The apps that you may see.",
        [
            Field("items", .list(.named("App")), "The apps."),
            .next,
        ])

    static let replicas = NamedSchema(
        "Replicas",
        "The replicas, by address.",
        [
            Field("items", .list(.named("Replica")), "The replicas."),
            .next,
        ])

    static let replica = NamedSchema(
        "Replica",
        "A process that serves the store.",
        [
            Field("id", .text, "Another one after each start."),
            Field("address", .text, "The host's name and the port."),
            Field("version", .text, "The program's version."),
            Field("startedAt", .integer(0...), "When it started: ms since 1970."),
            Field("lastHeartbeatAt", .integer(0...), "The time of its last heartbeat, by the store's clock: ms since 1970."),
            Field("alive", .flag, "Whether its last heartbeat is at most ten seconds old."),
            Field("configurationDigest", .text, "SHA-256 of its settings, except its addresses."),
            Field(
                "keys",
                .list(
                    .object([
                        Field("keyId", .text, "Apple's key id."),
                        Field("fingerprint", .text, "SHA-256 of its public key, in hexadecimal."),
                    ]).with("description", "A signing key.")),
                "The signing keys that it has loaded."),
            Field("clockOffset", .integer.orNull, "How far its clock is ahead of the store's, in ms; null: not compared yet."),
            Field(
                "differs", .list(.known("version", "configuration", "keys", "clock")),
                "What differs from most replicas that are alive. `clock`: its clock is more than 5 s off the store's."),
        ])

    static let catalogueOffer = NamedSchema(
        "CatalogueOffer",
        "An offer.",
        [
            Field(optional: "offerId", .text, "Of a promotional offer.", example: "winback50"),
            Field("kind", .text, "`free-trial`, `pay-as-you-go` or `pay-up-front`.", example: "free-trial"),
            Field("period", .text, "An ISO 8601 duration.", example: "P1M"),
            Field(
                optional: "prices", .map(.named("CataloguePrice")),
                """
                Prices by storefront (ISO 3166-1 alpha-3): of an instalment where it is paid as you go, else of the whole. \
                Left out if none are known.
                """),
            Field(
                optional: "billingPlan", .always("monthly"), "The billing plan of a promotional offer, if it is not `upfront`.",
                example: "monthly"),
            Field(optional: "limits", .named("OfferLimits")),
        ])

    static let catalogueMonthlyPlan = NamedSchema(
        "CatalogueMonthlyPlan",
        "The plan in which the customer commits to twelve months and pays monthly.",
        [
            Field(
                optional: "prices", .map(.named("CataloguePrice")),
                "Prices of a month by storefront (ISO 3166-1 alpha-3). Left out if none are known."),
            Field("introductoryOffer", .oneOf(.named("CatalogueOffer"), .null), "Null where it has none."),
        ])

    static let catalogueProduct = NamedSchema(
        "CatalogueProduct",
        "A product.",
        [
            Field("productId", .text, "The product.", example: "com.example.pro.monthly"),
            Field("groupId", .text, "Its subscription group.", example: "20563228"),
            Field("level", .integer, "Its level in the group; 1 is the highest."),
            Field("period", .text, "An ISO 8601 duration.", example: "P1M"),
            Field(
                optional: "prices", .map(.named("CataloguePrice")),
                "Prices by storefront (ISO 3166-1 alpha-3). Left out if none are known."),
            Field("introductoryOffer", .oneOf(.named("CatalogueOffer"), .null), "Null where it has none."),
            Field(optional: "monthlyPlan", .named("CatalogueMonthlyPlan")),
            Field("promotionalOffers", .list(.named("CatalogueOffer")), "Its promotional offers."),
        ])

    static let cataloguePrice = NamedSchema(
        "CataloguePrice",
        "A price.",
        [
            Field("price", .number, "In the currency's unit.", example: .number("9.99")),
            Field("currency", .text, "ISO 4217.", example: "USD"),
        ])

    static let catalogue = NamedSchema(
        "Catalogue",
        "What an app offers.",
        [
            Field("products", .list(.named("CatalogueProduct")), "Its products.")
        ])

    static let offerLimits = NamedSchema(
        "OfferLimits",
        "How often the offer is signed. What is left out limits nothing.",
        [
            Field(
                optional: "perCustomer", .integer(1...),
                "Redemptions of one customer.",
                example: 1),
            Field(
                optional: "per", .text,
                "An ISO 8601 duration for which a redemption counts for `perCustomer`.",
                example: "P1Y"),
            Field(optional: "cooldown", .text, "An ISO 8601 duration after a redemption.", example: "P90D"),
            Field("notWhileActive", .flag, "Whether subscribers of the product's group go without."),
            Field(
                optional: "outstanding", .integer(1...),
                """
                How many signatures of one customer the App Store would still accept at the same time. Left out: \
                \(OfferLimits.defaultOutstanding).
                """,
                example: 10),
            Field(
                optional: "total", .integer(1...), "Redemptions in all. Customers who hold a signature count, too.",
                example: 10000),
            Field("countRefunded", .flag, "Whether a redemption counts although it was refunded."),
        ])
}
