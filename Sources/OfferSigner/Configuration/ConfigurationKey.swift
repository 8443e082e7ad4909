import AppStore
import EligibilityRules
import OfferService

/// One key that a configuration may have. The checks and the documentation are made from the list of keys.
struct ConfigurationKey {
    /// The form of a value.
    enum Kind {
        case text
        case integer(ClosedRange<Int64>)
        case flag
        case choice([String])
        /// A list of texts; in an environment variable, separated by commas.
        case texts
        /// Prices by storefront: `{USA: 9.99 USD}`.
        case prices
        /// Exchange rates by currency: `{EUR: 1.08}`.
        case rates

        /// Whether the value is a map whose names are data, such as currencies. No environment variable can set such a value.
        var isTable: Bool { if case .prices = self { true } else if case .rates = self { true } else { false } }
    }

    /// The names from the top of the configuration, joined by full stops. The name of a list ends with `[]`.
    let path: String
    let kind: Kind
    /// The default in the form in which a file would have it; nil if there is none.
    let fallback: String?
    let isSecret: Bool
    let summary: String

    private init(_ path: String, _ kind: Kind, _ fallback: String?, isSecret: Bool = false, _ summary: String) {
        self.path = path
        self.kind = kind
        self.fallback = fallback
        self.isSecret = isSecret
        self.summary = summary
    }

    /// The environment variable that sets the key; nil for keys inside lists, and for tables.
    var variable: String? {
        path.contains("[]") || kind.isTable
            ? nil : "OFFERSIGNER_" + path.split(separator: ".").joined(separator: "_").uppercased()
    }

    /// Whether a configuration must have the key. This is taken from the end of the summary.
    private var isRequired: Bool { summary.hasSuffix("required") }

    /// Returns the fault of a value, with its remedy; nil if there is none.
    func fault(of node: ConfigurationNode) -> String? {
        guard let fault = kind.fault(of: node) else { return nil }
        return fault == "must not be empty" && !isRequired ? "\(fault); leave the key out to do without" : fault
    }

    /// All keys, in the order of the documentation.
    static let all: [ConfigurationKey] = [
        ConfigurationKey(
            "environment", .choice(["development", "production"]), "development",
            "`production` refuses the published example key and plain HTTP on public addresses"),
        ConfigurationKey("http.host", .text, "127.0.0.1", "address to listen on"),
        ConfigurationKey("http.port", .integer(0...65_535), "8080", "port to listen on; 0 takes any free one"),
        ConfigurationKey(
            "http.eventLoops", .integer(0...1024), "0", "threads that serve connections; 0: one a core"),
        ConfigurationKey(
            "http.idleTimeoutSeconds", .integer(1...3600), "75",
            "a connection that completes no request for so long is closed"),
        ConfigurationKey(
            "http.connections", .integer(1...1_000_000), "10000",
            "the most connections that may be open at once; a further one is closed at once"),
        ConfigurationKey(
            "http.connectionsPerAddress", .integer(1...1_000_000), "2500",
            "how many connections one IP address, or one /64 of IPv6, may have; all connections of a proxy count together"),
        ConfigurationKey("http.tls.certificate", .text, nil, "PEM file with the certificate chain; TLS is on when it is given"),
        ConfigurationKey("http.tls.privateKey", .text, nil, "PEM file with the certificate's private key"),
        ConfigurationKey(
            "http.tls.clientCertificates", .text, nil,
            "PEM file with the roots that clients' certificates chain to; a certificate that a client brings must then verify"),
        ConfigurationKey(
            "http.tls.clientCertificateMode", .choice(["optional", "required"]), "optional",
            "`required`: a connection without a certificate is refused"),
        ConfigurationKey(
            "http.tls.clientCertificateRoles", .texts, "[backend]",
            "roles whose access keys are accepted only on a connection with a client certificate"),
        ConfigurationKey(
            "http.tlsEndsInProxy", .flag, "false",
            "a proxy in front ends TLS: `production` then accepts plain HTTP on any address"),
        ConfigurationKey(
            "http.proxies", .texts, nil,
            "addresses and ranges (CIDR) of proxies whose `X-Forwarded-For` says where requests come from"
        ),
        ConfigurationKey(
            "console.idleMinutes", .integer(1...1440), "30", "time without activity after which a session of the console ends"),
        ConfigurationKey(
            "console.maxHours", .integer(1...168), "12", "time after which a session of the console ends in any case"),
        ConfigurationKey(
            "console.proxySignIn.addresses", .texts, nil,
            "addresses and ranges (CIDR) of the SSO proxy alone: a connection from one of them may sign in as any of `people`"
        ),
        ConfigurationKey(
            "console.proxySignIn.header", .text, "X-Forwarded-User", "the header in which the proxy names the person"),
        ConfigurationKey("console.proxySignIn.people[].name", .text, nil, "a person as the proxy names them, letter by letter"),
        ConfigurationKey(
            "console.proxySignIn.people[].accessKey", .text, nil,
            "id of the access key that this person signs in with; each person has their own"),
        ConfigurationKey("metrics.host", .text, "127.0.0.1", "address of the second port for `/metrics`"),
        ConfigurationKey(
            "metrics.port", .integer(1...65_535), nil,
            "second port for `/metrics`, which is then no longer served on the first"),
        ConfigurationKey(
            "store.sqlite", .text, "var/offersigner.sqlite",
            "file of the embedded store; the first start makes it, but not in production; purchase histories are beside it, in `…-histories.sqlite`"
        ),
        ConfigurationKey(
            "store.postgresql", .text, nil, isSecret: true,
            "connection string or URI of libpq's for a PostgreSQL that any number of replicas share, in place of `store.sqlite`; the "
                + "schema is the first of its `search_path`"),
        ConfigurationKey(
            "store.requireSynchronousStandby", .flag, "false",
            "whether the service is ready only while commits of the database wait for a standby"),
        ConfigurationKey(
            "store.positionFile", .text, nil,
            "file of this machine that keeps how far the database has come, so that a start notices one that was set back; each replica "
                + "has its own"),
        ConfigurationKey(
            "ledger.retentionHours", .integer(25...876_000), "9600",
            "how long signatures and refusals stay on record, in hours that the service serves; 9600 are 400 days"),
        ConfigurationKey(
            "notifications.retentionHours", .integer(25...876_000), "9600",
            "how long the content of App Store Server Notifications is kept, in hours that the service serves; the purchases that "
                + "they reported stay"),
        ConfigurationKey(
            "audit.sealSeconds", .integer(1...3600), "5",
            "how often the audit log is sealed with the audit key, when there is something new"),
        ConfigurationKey(
            "audit.verifyPercent", .integer(0...50), "1",
            "percent of one processor's time that the running service verifies the audit log with, again and again; 0: never"),
        ConfigurationKey(
            "clock.mostAhead", .integer(60...3_153_600_000), "3600",
            "seconds that the clock may be beyond the last use of the store when the service starts; after a longer pause "
                + "`offersigner clock accept` is needed"),
        ConfigurationKey(
            "keys.directory", .text, "keys", "folder with `SubscriptionKey_<ID>.p8` files and, optionally, `keys.yaml`"),
        ConfigurationKey("keys.passphrase", .text, nil, isSecret: true, "opens encrypted keys"),
        ConfigurationKey("keys.passphraseFile", .text, nil, "file that holds the passphrase"),
        ConfigurationKey(
            "keys.pem", .text, nil, isSecret: true,
            "one key's PEM in place of the folder, for environment variables; `\\n` may stand for line ends"),
        ConfigurationKey("keys.id", .text, nil, "key id that belongs to `keys.pem`"),
        ConfigurationKey(
            "nonces.periodMinutes", .integer(1...720), "15", "a nonce can be used for one to two periods"),
        ConfigurationKey("limits.requestsPerSecond", .integer(1...1_000_000), "200", "sustained requests of one access key"),
        ConfigurationKey("limits.burst", .integer(1...1_000_000), "400", "requests of one access key at once"),
        ConfigurationKey(
            "limits.bodyMegabytes", .integer(64...65_536), "64",
            "memory of all request bodies together; callers without an access key get a quarter of it, "
                + "and another for notifications over 1 MiB"),
        ConfigurationKey(
            "limits.endUsers.requestsPerMinute", .integer(1...60_000), "60",
            "sustained requests of one end user, who comes with a token (`apps[].endUserTokens`)"),
        ConfigurationKey("limits.endUsers.burst", .integer(1...10_000), "30", "requests of one end user at once"),
        ConfigurationKey(
            "logging.level", .choice(["trace", "debug", "info", "notice", "warning", "error", "critical"]), "info",
            "least level that is logged; request lines have `info`; warnings, errors and audit lines are always written"
        ),
        ConfigurationKey(
            "logging.signatures", .choice(LoggedOffers.allCases.map(\.rawValue)), "full",
            "offers that have a line in the log: all; all refused ones, and the signed and unneeded ones of one request in 100; none. "
                + "The ledger has them in any case"),
        ConfigurationKey(
            "appStore.roots", .texts, nil,
            "PEM or DER files of root certificates in place of the built-in pin of Apple Root CA – G3; beside that of Apple Root CA for receipts"
        ),
        ConfigurationKey(
            "appStore.verifyReceipt.production", .text, "https://buy.itunes.apple.com/verifyReceipt",
            "where production receipts are verified"),
        ConfigurationKey(
            "appStore.verifyReceipt.sandbox", .text, "https://sandbox.itunes.apple.com/verifyReceipt",
            "where sandbox receipts are verified"),
        ConfigurationKey(
            "appStore.serverAPI.production", .text, "https://api.storekit.apple.com", "App Store Server API, production"),
        ConfigurationKey(
            "appStore.serverAPI.sandbox", .text, "https://api.storekit-sandbox.apple.com", "App Store Server API, sandbox"),
        ConfigurationKey(
            "appStore.connectAPI", .text, "https://api.appstoreconnect.apple.com",
            "App Store Connect API, which `offersigner catalogue pull` reads"),
        ConfigurationKey(
            "appStore.pollSeconds", .integer(0...86_400), "10",
            "time between two rounds of asking the App Store about subscriptions near expiry, with the Server API or with "
                + "receipts; 0: never"),
        ConfigurationKey(
            "appStore.catchUpSeconds", .integer(0...86_400), "900",
            "time between two looks for notifications that did not arrive; the first is at the start; 0: never"),
        ConfigurationKey(
            "appStore.lapsedRefreshHours", .integer(0...8760), "24",
            "shortest time between two questions to the App Store about a lapsed subscription that a request is about; 0: never"),
        ConfigurationKey(
            "catalogue.file", .text, nil,
            "what apps sell, as `offersigner catalogue pull` writes it; lies under `apps[].subscriptionGroups`, by ids: `docs/catalogue.md`"
        ),
        ConfigurationKey(
            "currencies.in", .text, nil,
            "currency (ISO 4217) in which results add up revenue by the `rates`, beside each currency by itself; nothing is looked up elsewhere"
        ),
        ConfigurationKey(
            "currencies.rates", .rates, nil,
            "what one unit of another currency is worth in that one, such as `{EUR: 1.08, JPY: 0.0064}`; a currency without a rate is shown apart"
        ),
        ConfigurationKey("currencies.asOf", .text, nil, "day of the rates, such as 2026-11-01, shown beside what they convert"),
        ConfigurationKey(
            "events.keep", .text, "P7D",
            "how long a delivery is kept after its last attempt, in days; this and what follows: `docs/events.md`"),
        ConfigurationKey(
            "events.endpoints[].name", .text, nil, "what the endpoint is called in the log and the console; required"),
        ConfigurationKey(
            "events.endpoints[].url", .text, nil, isSecret: true,
            "where events are posted to; `https://`, or `http://` on this machine; required"),
        ConfigurationKey(
            "events.endpoints[].types", .texts, nil,
            "the events that it receives, such as `offer.signed`; `campaign.*` stands for all of campaigns; required"),
        ConfigurationKey("events.endpoints[].apps", .texts, nil, "bundle ids; left out: all apps, and what concerns none"),
        ConfigurationKey(
            "events.endpoints[].secretFile", .text, nil,
            "file with the secrets that sign, one a line: `whsec_…` or `whsk_…`; other users must not be able to read it; required"
        ),
        ConfigurationKey(
            "events.endpoints[].allowPrivateAddresses", .flag, "false",
            "whether the endpoint may be in the own network; otherwise only public addresses are called"),
        ConfigurationKey("apps[].bundleId", .text, nil, "the app's bundle id; required"),
        ConfigurationKey(
            "apps[].appAppleId", .integer(0...Int64.max), nil,
            "the app's Apple id; notifications V2 of Production and Retention Messaging need it"),
        ConfigurationKey("apps[].issuerId", .text, nil, "issuer id from App Store Connect; JWS signatures need it"),
        ConfigurationKey(
            "apps[].environment", .choice(AppStoreEnvironment.allCases.map(\.rawValue)), "Production",
            "which signed data is ours; that of Xcode and LocalTesting needs its certificate in `appStore.roots`"),
        ConfigurationKey(
            "apps[].sandbox", .flag, "false",
            "whether data of the Sandbox is accepted as well, apart from that of Production: for TestFlight and App Review"),
        ConfigurationKey(
            "apps[].xcodeKey.id", .text, nil,
            "id of the key with which StoreKit Testing in Xcode signs offers; with it `\"environment\": \"Xcode\"` is signed for: `docs/customers.md`"
        ),
        ConfigurationKey(
            "apps[].xcodeKey.file", .text, nil,
            "file with that key, outside `keys.directory`; other users must not be able to read it"
        ),
        ConfigurationKey(
            "apps[].sharedSecret", .text, nil, isSecret: true,
            "for notifications V1 and verifyReceipt; without `issuerId` subscriptions are polled with it and their receipts"),
        ConfigurationKey("apps[].sharedSecretFile", .text, nil, "file that holds the shared secret"),
        ConfigurationKey(
            "apps[].eligibility", .choice(["enforce", "advise"]), "enforce",
            "what a negative verdict does: the offer is refused, or signed with the verdict attached"),
        ConfigurationKey(
            "apps[].introductoryOverrides", .choice(App.IntroductoryOverrides.allCases.map(\.rawValue)), "backend",
            "who may send `allow: true` and so grant an introductory offer that the App Store would refuse"),
        ConfigurationKey(
            "apps[].transfer", .choice(App.Transfer.allCases.map(\.rawValue)), "backend",
            "when a subscription that one customer has becomes another's: `never`; when a backend sends `transfer: true`; also when another customer comes with its signed data"
        ),
        ConfigurationKey(
            "apps[].writeAppAccountToken", .flag, "false",
            "whether a binding that a backend vouches for is written to the App Store, as the subscription's `appAccountToken`"),
        ConfigurationKey(
            "apps[].endUserTokens.issuer", .text, nil,
            "`iss` of the tokens (JWT) with which the app's users may ask by themselves; this and what follows: `docs/access.md`, Tokens of end users"
        ),
        ConfigurationKey(
            "apps[].endUserTokens.audiences", .texts, nil, "values of `aud` that are for this app; a token must have one of them"
        ),
        ConfigurationKey(
            "apps[].endUserTokens.algorithms", .texts, "[ES256, RS256, EdDSA]",
            "how tokens may be signed; each key is for one algorithm, whatever a token says"),
        ConfigurationKey(
            "apps[].endUserTokens.jwks.file", .text, nil,
            "file with the issuer's public keys (JSON Web Key Set), read again when it changes; other users must not be able to write it"
        ),
        ConfigurationKey(
            "apps[].endUserTokens.jwks.url", .text, nil, "where the issuer publishes them; `production` asks for `https://`"),
        ConfigurationKey(
            "apps[].endUserTokens.jwks.refreshSeconds", .integer(30...86_400), "300",
            "time between two looks at `url`; a token with an unknown key makes the next one come at once"),
        ConfigurationKey(
            "apps[].endUserTokens.jwks.maxAgeSeconds", .integer(300...2_592_000), "86400",
            "how long keys stay in force when they cannot be read again"),
        ConfigurationKey(
            "apps[].endUserTokens.leewaySeconds", .integer(0...300), "30", "how far the issuer's clock may be from this one"),
        ConfigurationKey(
            "apps[].endUserTokens.appAccountTokenClaim", .text, nil,
            "claim with the user's `appAccountToken`; without it `sub` counts as one where it is a UUID"),
        ConfigurationKey(
            "apps[].endUserTokens.appTransactionIdClaim", .text, nil,
            "claim with the `appTransactionId` of the user's Apple account, which your sign-in has verified"),
        ConfigurationKey(
            "apps[].retention.message", .text, nil,
            "id (UUID) of the text that the App Store shows when no campaign decides, or not in time; needs `appAppleId` and "
                + "`issuerId`: `docs/retention.md`"),
        ConfigurationKey(
            "apps[].refunds.mode", .choice(RefundTerms.Mode.allCases.map(\.rawValue)), "off",
            "whether the App Store's refund requests are answered; `dry-run` shows what `send` would send. This and what follows: `docs/refunds.md`"
        ),
        ConfigurationKey(
            "apps[].refunds.policies[].name", .text, nil, "name in lists and in the audit log; required"),
        ConfigurationKey(
            "apps[].refunds.policies[].when.products", .texts, nil, "product ids, of any type; left out: all"),
        ConfigurationKey(
            "apps[].refunds.policies[].when.purchasedWithin", .text, nil,
            "ISO 8601 duration since the purchase, of a renewal since the period began; left out: any"),
        ConfigurationKey(
            "apps[].refunds.policies[].when.consumedBelow", .integer(1...100), nil,
            "percent of the period of a subscription; left out: any"),
        ConfigurationKey(
            "apps[].refunds.policies[].when.consumedAtLeast", .integer(0...100), nil,
            "percent of the period of a subscription; left out: any"),
        ConfigurationKey(
            "apps[].refunds.policies[].when.offersRedeemedAtLeast", .integer(1...1000), nil,
            "offers that the customer has redeemed in the app, other than introductory ones; left out: any number"),
        ConfigurationKey(
            "apps[].refunds.policies[].answer.refundPreference", .choice(RefundPreference.allCases.map(\.rawValue)), nil,
            "what the App Store should do; left out: nothing is said"),
        ConfigurationKey(
            "apps[].refunds.policies[].answer.deliveryStatus", .choice(DeliveryStatus.allCases.map(\.rawValue)), "DELIVERED",
            "whether the purchase was delivered and works"),
        ConfigurationKey(
            "apps[].refunds.policies[].answer.sampleContentProvided", .flag, "false",
            "whether customers can try the content before they buy it"),
        ConfigurationKey(
            "apps[].refunds.policies[].answer.consumptionPercentage", .integer(0...100), nil,
            "percent that counts as consumed; not sent of auto-renewable subscriptions, whose share Apple computes"),
        ConfigurationKey("apps[].requireHistory", .flag, "false", "a history that is not complete counts as unknown"),
        ConfigurationKey(
            "apps[].twoPersonKeys", .flag, "false",
            "whether a second person must agree before another key signs for it, or one is revoked"),
        ConfigurationKey("apps[].familySharedCountsAsOwn", .flag, "false", "whether a shared transaction is the member's own"),
        ConfigurationKey("apps[].subscriptionGroups[].id", .text, nil, "subscription group id; required"),
        ConfigurationKey("apps[].subscriptionGroups[].products[].id", .text, nil, "product id; required"),
        ConfigurationKey(
            "apps[].subscriptionGroups[].products[].level", .integer(1...100), "1", "service level; 1 is the highest"),
        ConfigurationKey("apps[].subscriptionGroups[].products[].period", .text, nil, "ISO 8601 duration; required"),
        ConfigurationKey(
            "apps[].subscriptionGroups[].products[].prices", .prices, nil,
            "regular prices, for words and figures of the console: `docs/catalogue.md`; no signature depends on a price"),
        ConfigurationKey(
            "apps[].subscriptionGroups[].products[].introductoryOffer.kind", .choice(OfferKind.allCases.map(\.rawValue)),
            nil, "left out: the product has no introductory offer"),
        ConfigurationKey(
            "apps[].subscriptionGroups[].products[].introductoryOffer.period", .text, nil, "ISO 8601 duration"),
        ConfigurationKey(
            "apps[].subscriptionGroups[].products[].introductoryOffer.from", .text, nil,
            "first day, such as 2026-01-31; kept, like the next two, and without effect"),
        ConfigurationKey("apps[].subscriptionGroups[].products[].introductoryOffer.until", .text, nil, "last day"),
        ConfigurationKey(
            "apps[].subscriptionGroups[].products[].introductoryOffer.territories", .texts, nil,
            "ISO 3166-1 alpha-3; left out: all"),
        ConfigurationKey(
            "apps[].subscriptionGroups[].products[].introductoryOffer.prices", .prices, nil,
            "of an instalment where it is paid as you go, else of the whole; none for a free trial"),
        ConfigurationKey(
            "apps[].subscriptionGroups[].products[].monthlyPlan.prices", .prices, nil,
            "regular prices of a month for customers who commit to twelve months; left out with what follows: the product has no "
                + "such plan"),
        ConfigurationKey(
            "apps[].subscriptionGroups[].products[].monthlyPlan.introductoryOffer.kind",
            .choice(OfferKind.allCases.map(\.rawValue)),
            nil, "of customers who commit to twelve months and pay monthly; this and what follows as of `introductoryOffer`"),
        ConfigurationKey(
            "apps[].subscriptionGroups[].products[].monthlyPlan.introductoryOffer.period", .text, nil, "ISO 8601 duration"),
        ConfigurationKey(
            "apps[].subscriptionGroups[].products[].monthlyPlan.introductoryOffer.from", .text, nil,
            "first day"),
        ConfigurationKey("apps[].subscriptionGroups[].products[].monthlyPlan.introductoryOffer.until", .text, nil, "last day"),
        ConfigurationKey(
            "apps[].subscriptionGroups[].products[].monthlyPlan.introductoryOffer.territories", .texts, nil,
            "ISO 3166-1 alpha-3; left out: all"),
        ConfigurationKey(
            "apps[].subscriptionGroups[].products[].monthlyPlan.introductoryOffer.prices", .prices, nil,
            "as the `prices` of `introductoryOffer`"),
        ConfigurationKey(
            "apps[].subscriptionGroups[].products[].promotionalOffers[].id", .text, nil, "offer id; required"),
        ConfigurationKey(
            "apps[].subscriptionGroups[].products[].promotionalOffers[].kind",
            .choice(OfferKind.allCases.map(\.rawValue)), nil, "required"),
        ConfigurationKey(
            "apps[].subscriptionGroups[].products[].promotionalOffers[].period", .text, nil, "ISO 8601 duration; required"),
        ConfigurationKey(
            "apps[].subscriptionGroups[].products[].promotionalOffers[].territories", .texts, nil,
            "ISO 3166-1 alpha-3; left out: all; without effect"),
        ConfigurationKey(
            "apps[].subscriptionGroups[].products[].promotionalOffers[].billingPlan",
            .choice(BillingPlan.allCases.map(\.rawValue)), "upfront",
            "the plan that App Store Connect has for the offer: `monthly` is the commitment of twelve months that is paid monthly"
        ),
        ConfigurationKey(
            "apps[].subscriptionGroups[].products[].promotionalOffers[].prices", .prices, nil,
            "as the `prices` of `introductoryOffer`"),
        ConfigurationKey(
            "apps[].subscriptionGroups[].products[].promotionalOffers[].limits.perCustomer", .integer(1...1_000_000), nil,
            "how often one customer may redeem the offer; this and what follows: `docs/eligibility.md`, Limits of offers"
        ),
        ConfigurationKey(
            "apps[].subscriptionGroups[].products[].promotionalOffers[].limits.per", .text, nil,
            "ISO 8601 duration for which a redemption counts for `perCustomer`; left out: for ever"),
        ConfigurationKey(
            "apps[].subscriptionGroups[].products[].promotionalOffers[].limits.cooldown", .text, nil,
            "ISO 8601 duration after a redemption in which the customer does not get the offer again"),
        ConfigurationKey(
            "apps[].subscriptionGroups[].products[].promotionalOffers[].limits.notWhileActive", .flag, "false",
            "the offer is not for subscribers of the product's group, grace period and billing retry included"),
        ConfigurationKey(
            "apps[].subscriptionGroups[].products[].promotionalOffers[].limits.outstanding", .integer(1...1_000_000),
            "\(OfferLimits.defaultOutstanding)",
            "how many signatures of one customer the App Store would still accept at the same time; applies to every offer with limits"
        ),
        ConfigurationKey(
            "apps[].subscriptionGroups[].products[].promotionalOffers[].limits.total", .integer(1...1_000_000_000), nil,
            "how often the offer may be redeemed in all; customers who hold a signature count, too"),
        ConfigurationKey(
            "apps[].subscriptionGroups[].products[].promotionalOffers[].limits.countRefunded", .flag, "true",
            "whether a redemption counts although it was refunded"),
        ConfigurationKey(
            "apps[].subscriptionGroups[].products[].winBackOffers[].id", .text, nil,
            "offer id; win-back offers need no signature: only `link` has an effect, the rest is kept"),
        ConfigurationKey(
            "apps[].subscriptionGroups[].products[].winBackOffers[].link", .text, nil,
            "the offer's direct link, which App Store Connect shows; `POST /v1/eligibility` gives it"),
        ConfigurationKey(
            "apps[].subscriptionGroups[].products[].winBackOffers[].kind", .choice(OfferKind.allCases.map(\.rawValue)), nil,
            "as of other offers"),
        ConfigurationKey(
            "apps[].subscriptionGroups[].products[].winBackOffers[].period", .text, nil, "ISO 8601 duration"),
        ConfigurationKey("apps[].subscriptionGroups[].products[].winBackOffers[].from", .text, nil, "first day"),
        ConfigurationKey("apps[].subscriptionGroups[].products[].winBackOffers[].until", .text, nil, "last day"),
        ConfigurationKey(
            "apps[].subscriptionGroups[].products[].winBackOffers[].territories", .texts, nil, "ISO 3166-1 alpha-3; left out: all"
        ),
        ConfigurationKey(
            "apps[].subscriptionGroups[].products[].winBackOffers[].billingPlan",
            .choice(BillingPlan.allCases.map(\.rawValue)), "upfront", "as of other offers"),
        ConfigurationKey(
            "apps[].subscriptionGroups[].products[].winBackOffers[].prices", .prices, nil,
            "as the `prices` of `introductoryOffer`"),
    ]
}
