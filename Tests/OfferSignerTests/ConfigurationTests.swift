import EligibilityRules
import Foundation
import OfferSigning
import OfferStoreTesting
import Testing

@testable import OfferService
@testable import OfferSigner

@Suite("Configuration")
struct ConfigurationTests {
    private static let app = """
        apps:
          - bundleId: com.example.app
            subscriptionGroups:
              - id: "1"
                products:
                  - {id: pro, period: P1M, promotionalOffers: [{id: half, kind: free-trial, period: P1W}]}
        """

    private func load(_ files: String..., variables: [String: String] = [:]) throws -> ServiceConfiguration {
        let named = files.enumerated().map { (name: "file \($0)", yaml: $1) }
        return try ServiceConfiguration(ConfigurationTree(files: named, variables: variables))
    }

    private func problems(_ files: String..., variables: [String: String] = [:]) -> [String] {
        let named = files.enumerated().map { (name: "file \($0)", yaml: $1) }
        do throws(ConfigurationError) {
            _ = try ServiceConfiguration(ConfigurationTree(files: named, variables: variables))
            return []
        } catch {
            return error.problems
        }
    }

    @Test("What is left out has its default")
    func defaults() throws {
        let configuration = try load(ConfigurationTests.app)
        #expect(configuration.http.port == 8080)
        #expect(configuration.http.host == "127.0.0.1")
        #expect(configuration.accessKeyRate == RateLimit(requestsPerSecond: 200, burst: 400))
        #expect(configuration.environment == .development)
        #expect(configuration.apps[0].catalogue.product("pro")?.promotionalOffers[ExactText("half")]?.kind == .freeTrial)
    }

    @Test("An empty text has the remedy that is one")
    func emptyTexts() {
        #expect(problems("apps: [{bundleId: ''}]").contains("apps[0].bundleId: must not be empty"))
        #expect(
            problems("apps: [{bundleId: a, issuerId: ''}]") == [
                "apps[0].issuerId: must not be empty; leave the key out to do without"
            ])
    }

    private func refunds(_ refunds: String, issuer: String = "issuerId: i, ") -> String {
        "apps: [{bundleId: com.example.app, \(issuer)refunds: {\(refunds)}}]"
    }

    @Test("Refund policies are read, and are off by default")
    func refundPolicies() throws {
        #expect(try load(ConfigurationTests.app).apps[0].refunds.mode == .off)
        let terms = try load(
            refunds(
                """
                mode: dry-run, policies: [{name: a, when: {products: [pro, max], purchasedWithin: P14D, consumedBelow: 50,
                consumedAtLeast: 10, offersRedeemedAtLeast: 3}, answer: {refundPreference: GRANT_PRORATED,
                deliveryStatus: DELIVERED, sampleContentProvided: true, consumptionPercentage: 40}}, {name: b}]
                """)
        ).apps[0].refunds
        #expect(terms.mode == .dryRun)
        #expect(
            terms.policies == [
                RefundPolicy(
                    name: "a",
                    conditions: RefundConditions(
                        products: ["pro", "max"], purchasedWithin: CalendarPeriod("P14D"), consumedBelow: 50,
                        consumedAtLeast: 10, offersRedeemedAtLeast: 3),
                    answer: RefundAnswer(
                        preference: .grantProrated, sampleContentProvided: true, consumptionPercentage: 40_000)),
                RefundPolicy(name: "b", answer: RefundAnswer()),
            ])
    }

    @Test(
        "A refund policy that could not work is an error that names the field and the remedy",
        arguments: [
            ("{}", "[0].name: is missing"),
            (
                "{name: a, when: {products: []}}",
                "[0].when.products: is empty, so that no purchase satisfies it; leave it out for all products"
            ),
            (
                "{name: a, when: {purchasedWithin: 14}}",
                "[0].when.purchasedWithin: must be an ISO 8601 duration such as P14D, P1M or P1Y"
            ),
            ("{name: a, when: {consumedBelow: 0}}", "[0].when.consumedBelow: must be integer 1…100"),
            (
                "{name: a, when: {consumedBelow: 50, consumedAtLeast: 50}}",
                "[0].when: consumedBelow must be more than consumedAtLeast, or no purchase satisfies both"
            ),
            (
                "{name: a, answer: {refundPreference: grant}}",
                "[0].answer.refundPreference: must be GRANT_FULL or GRANT_PRORATED or DECLINE"
            ),
            (
                "{name: a, answer: {deliveryStatus: UNDELIVERED_OTHER, consumptionPercentage: 5}}",
                "[0].answer.consumptionPercentage: must be 0 or left out, as nothing was delivered: Apple refuses others"
            ),
            (
                "{name: a, answer: {refundPreference: GRANT_PRORATED, deliveryStatus: UNDELIVERED_OTHER}}",
                "[0].answer.refundPreference: GRANT_PRORATED needs deliveryStatus DELIVERED; for what was not delivered say GRANT_FULL"
            ),
            (
                "{name: a, answer: {refundPreference: GRANT_PRORATED, consumptionPercentage: 100}}",
                "[0].answer.consumptionPercentage: must be from 1 to 99 with GRANT_PRORATED; Apple refuses others"
            ),
            ("{name: a}, {name: b}", "[0]: has no when, so that the policies after it are never reached; put it last"),
            ("{name: a, when: {consumedBelow: 5}}, {name: a}", ": a appears twice"),
            ("{name: a, when: {consumedBelw: 5}}", "[0].when.consumedBelw: no such key; do you mean consumedBelow?"),
        ])
    func refundFaults(_ policies: String, _ problem: String) {
        #expect(problems(refunds("mode: send, policies: [\(policies)]")) == ["apps[0].refunds.policies\(problem)"])
        #expect(
            problems(refunds("mode: dry-run", issuer: ""))
                == ["apps[0].refunds.mode: needs issuerId, for the App Store Server API"])
    }

    private func limited(_ limits: String) -> String {
        Self.app.replacing("kind: free-trial, period: P1W}", with: "kind: free-trial, period: P1W, limits: {\(limits)}}")
    }

    @Test("Limits of an offer are read, each by itself")
    func limits() throws {
        func limits(_ text: String) throws -> OfferLimits? {
            try load(limited(text)).apps[0].catalogue.product("pro")?.promotionalOffers[ExactText("half")]?.limits
        }
        let all =
            "perCustomer: 1, per: P1Y, cooldown: P90D, notWhileActive: true, outstanding: 2, total: 10000, countRefunded: false"
        #expect(
            try limits(all)
                == OfferLimits(
                    perCustomer: 1, per: CalendarPeriod("P1Y"), cooldown: CalendarPeriod("P90D"), notWhileActive: true,
                    outstanding: 2, total: 10_000, countsRefunded: false))
        #expect(try limits("total: 5") == OfferLimits(total: 5))
        // Nothing is limited: a signature costs what it does without.
        #expect(try limits("") == nil)
        #expect(try limits("notWhileActive: false") == nil)
    }

    @Test(
        "A limit that could not work is an error",
        arguments: [
            ("perCustomer: 0", "perCustomer: must be integer 1…1000000"),
            ("perCustomer: one", "perCustomer: must be integer 1…1000000"),
            ("cooldown: 90", "cooldown: must be an ISO 8601 duration such as P90D, P1M or P1Y"),
            ("perCustomer: 1, per: P1Y6M", "per: must be an ISO 8601 duration such as P90D, P1M or P1Y"),
            ("per: P1Y", "per: needs perCustomer"),
            ("outstanding: 1, countRefunded: false", "countRefunded: needs perCustomer, cooldown or total"),
            ("notWhileActive: often", "notWhileActive: must be true or false"),
            ("perCustumer: 1", "perCustumer: no such key; do you mean perCustomer?"),
        ])
    func limitFaults(_ limits: String, _ problem: String) {
        let place = "apps[0].subscriptionGroups[0].products[0].promotionalOffers[0].limits"
        #expect(problems(limited(limits)) == ["\(place).\(problem)"])
    }

    @Test("Later files win, key by key")
    func layers() throws {
        let configuration = try load(ConfigurationTests.app, "http: {port: 1, host: a}", "http: {port: 2}")
        #expect(configuration.http.port == 2)
        #expect(configuration.http.host == "a")
    }

    @Test("A section whose keys are all commented out takes nothing away")
    func emptySection() throws {
        #expect(try load(ConfigurationTests.app, "http: {port: 9}", "http:\nlimits:\n").http.port == 9)
    }

    @Test("A secret and its file cannot both be given")
    func secretTwice() {
        let reported = problems(ConfigurationTests.app, "keys: {passphrase: a, passphraseFile: b}")
        #expect(reported == ["keys.passphrase and keys.passphraseFile: give one of the two"])
    }

    @Test("Only 127.0.0.0/8 is loopback, not whatever begins like it")
    func loopback() {
        let reported = problems(ConfigurationTests.app, "environment: production\nhttp: {host: 127.example.com}")
        #expect(reported.contains { $0.hasPrefix("http.host: production") })
    }

    @Test("Apps merge by bundle id")
    func apps() throws {
        let upper = "apps: [{bundleId: com.example.app, issuerId: me}, {bundleId: com.example.new}]"
        let configuration = try load(ConfigurationTests.app, upper)
        #expect(configuration.apps.map(\.bundleID) == ["com.example.app", "com.example.new"])
        #expect(configuration.apps[0].issuerID == "me")
        #expect(configuration.apps[0].catalogue.products.count == 1)
    }

    @Test("Environment variables win, with or without underscores between words")
    func variables() throws {
        for name in ["OFFERSIGNER_LIMITS_REQUESTSPERSECOND", "OFFERSIGNER_LIMITS_REQUESTS_PER_SECOND"] {
            let rate = try load(ConfigurationTests.app, variables: [name: "7"]).accessKeyRate
            #expect(rate == RateLimit(requestsPerSecond: 7, burst: 400))
        }
    }

    @Test(
        "Unknown and malformed keys are reported, with their path",
        arguments: [
            ("http: {prot: 1}", "http.prot: no such key; do you mean port?"), ("colour: red", "colour: no such key"),
            ("port: 1", "port: no such key; do you mean http.port or"),
            ("colour:", "colour: no such key"), ("htp: {port: 1}", "htp: no such key; do you mean http?"),
            ("apps: [{bundleId: a}, {elegibility: enforce}]", "apps[1].elegibility: no such key; do you mean eligibility?"),
            ("http: {port: x}", "http.port: must be integer 0…65535"), ("http: {port: 70000}", "http.port: must be"),
            ("environment: test", "environment: must be development or production"), ("http: 8080", "http: must hold keys"),
            ("limits: {burst: 0}", "limits.burst: must be"), ("apps: {}", "apps: must hold a list"),
            ("apps: [{bundleID: x}]", "apps[0].bundleID: no such key; do you mean bundleId?"),
        ])
    func unknown(yaml: String, problem: String) {
        let reported = problems(yaml)
        #expect(reported.contains { $0.hasPrefix(problem) }, "\(reported)")
    }

    @Test(
        "An empty text is reported, above all where it would let every caller in",
        arguments: [
            "http: {host: \"\"}", "keys: {directory: ' '}", "store: {sqlite: \"\"}", "appStore: {roots: [\"\"]}",
            "apps: [{bundleId: com.example.app, sharedSecret: \"\"}]",
            "apps: [{bundleId: com.example.app, sharedSecret: \"  \"}]",
            "apps: [{bundleId: com.example.app, issuerId: \"\"}]",
        ])
    func empty(yaml: String) {
        let reported = problems(ConfigurationTests.app, yaml)
        #expect(reported.count == 1 && reported[0].contains(": must "), "\(reported)")
        #expect(problems(ConfigurationTests.app, variables: ["OFFERSIGNER_HTTP_HOST": ""]).count == 1)
    }

    @Test("An app that appears twice in one file is reported, whichever file it is")
    func repeatedApp() {
        let twice = "apps: [{bundleId: b, eligibility: enforce}, {bundleId: b, eligibility: advise}]"
        #expect(problems(twice) == ["file 0: apps: b appears twice"])
        #expect(problems("apps: [{bundleId: b}]", twice) == ["file 1: apps: b appears twice"])
    }

    @Test("Two spellings of one variable are reported")
    func variableTwice() {
        let variables = ["OFFERSIGNER_LIMITS_BURST": "1", "OFFERSIGNER_LIMITS_B_URST": "2"]
        #expect(problems(ConfigurationTests.app, variables: variables).count == 1)
    }

    @Test("Addresses of the App Store are URLs", arguments: ["ftp://a", "a", "https://", "http:///x"])
    func appStoreURL(text: String) {
        let reported = problems(ConfigurationTests.app, "appStore: {serverAPI: {production: '\(text)'}}")
        #expect(reported == ["appStore.serverAPI.production: must be a URL that begins with https:// or http:// in development"])
    }

    @Test("An id that no request can name is reported")
    func longID() {
        let id = String(repeating: "x", count: 256)
        #expect(
            problems("apps: [{bundleId: b, subscriptionGroups: [{id: '1', products: [{id: \(id), period: P1M}]}]}]")
                == ["apps[0].subscriptionGroups[0].products[0].id: is longer than 255 characters"])
    }

    @Test(
        "A container's quota of cores is rounded up",
        arguments: [("max 100000", nil), ("150000 100000\n", 2), ("5000 100000", 1), ("", nil)])
    func quota(text: String, cores: Int?) { #expect(ProcessorCount.cores(ofQuota: text) == cores) }

    @Test("An unknown variable is reported")
    func unknownVariable() {
        #expect(problems(ConfigurationTests.app, variables: ["OFFERSIGNER_HTTP_PROT": "1"]).count == 1)
    }

    @Test("Everything that is wrong with apps is reported at once")
    func appProblems() {
        let reported = problems(
            "apps: [{bundleId: a, subscriptionGroups: [{products: [{id: p, period: monthly}, {id: p, period: P1M}]}]}]")
        #expect(reported.contains("apps[0].subscriptionGroups[0].id: is missing"))
        #expect(reported.contains { $0.hasPrefix("apps[0].subscriptionGroups[0].products[0].period: must be an ISO 8601") })
        #expect(reported.contains("apps[0]: product p appears twice"))
    }

    @Test("Production speaks plain HTTP on loopback only, unless a proxy ends TLS")
    func productionHTTP() throws {
        let open = "environment: production\nhttp: {host: 0.0.0.0}"
        #expect(problems(ConfigurationTests.app, open).contains { $0.hasPrefix("http.host: production") })
        #expect(try load(ConfigurationTests.app, open, "http: {tlsEndsInProxy: true}").http.host == "0.0.0.0")
        #expect(try load(ConfigurationTests.app, "environment: production").http.host == "127.0.0.1")
    }

    @Test("Backends need a client certificate where there are roots for any, unless other roles are named")
    func clientCertificates() throws {
        func clients(_ more: String) throws -> ServiceConfiguration.TLS.Clients? {
            try load(ConfigurationTests.app, "http: {tls: {certificate: c, privateKey: k\(more)}}").http.tls?.clients
        }
        #expect(try clients("") == nil)
        let plain = try clients(", clientCertificates: r")
        #expect(plain?.roots == "r" && plain?.isRequired == false && plain?.roles == [.backend])
        let named = try clients(", clientCertificates: r, clientCertificateRoles: [admin, client]")
        #expect(named?.roles == [.admin, .client])
        let all = try clients(", clientCertificates: r, clientCertificateMode: required, clientCertificateRoles: []")
        #expect(all?.isRequired == true && all?.roles == [])
    }

    @Test("People that a proxy signs in are named one by one, each with an access key of their own")
    func proxySignIn() throws {
        func people(_ list: String) -> [String] {
            problems(ConfigurationTests.app, "console: {proxySignIn: {addresses: [10.0.0.7], people: [\(list)]}}")
        }
        let (alice, bob) = ("{name: alice, accessKey: '0123456789abcdef'}", "{name: bob, accessKey: '0123456789abcdee'}")
        #expect(people("\(alice), \(bob)") == [])
        #expect(people("\(alice), \(alice)").count == 1)
        #expect(people("\(alice), {name: bob, accessKey: '0123456789abcdef'}").count == 1)
        #expect(people("{name: alice}").count == 1)
        // Of a whole access key nothing is repeated.
        let whole = "accessKey: osk_0123456789abcdef_S3cret}"
        let reported = people("{name: alice, \(whole), {name: bob, \(whole)")
        #expect(reported.count == 2 && !reported.contains { $0.contains("S3cret") })
        #expect(try load(ConfigurationTests.app).console.proxySignIn == nil)
    }

    @Test("Secrets come from a file, too")
    func secretFile() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        try Data("sesame\n".utf8).write(to: file)
        #expect(try load(ConfigurationTests.app, "keys: {passphraseFile: \(file.path)}").keys.passphrase == "sesame")
        #expect(
            problems(ConfigurationTests.app, "keys: {passphraseFile: /nowhere}") == [
                "keys.passphraseFile: /nowhere cannot be read: No such file or directory"
            ])
    }

    @Test("The manual has the table of keys as the program knows them")
    func manual() throws {
        let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let manual = try String(contentsOf: repository.appending(path: "docs/configuration.md"), encoding: .utf8)
        #expect(manual.contains(ConfigurationKey.reference), "run: offersigner check-config --reference")
    }

    @Test("A manifest names keys, apps and states; anything else is reported")
    func manifest() throws {
        let manifest = try KeyManifest(
            yaml: "keys: [{id: A, file: a.p8, apps: [x], state: staged}, {id: B, file: b.p8}]", source: "keys.yaml")
        #expect(manifest.entries.map(\.state) == [.staged, .active])
        #expect(manifest.entries.map(\.apps) == [["x"], nil])
        let uri = "pkcs11:token=a;object=b?module-path=/m.so"
        let inModule = try KeyManifest(yaml: "keys: [{id: A, uri: '\(uri)'}]", source: "keys.yaml")
        #expect(inModule.entries.map(\.place) == [.module(try PKCS11URI(uri))])
        for wrong in [
            "keys: [{id: A, file: a, uri: '\(uri)'}]", "keys: [{id: A, uri: 'pkcs11:token=a'}]", "keys: [{uri: '\(uri)'}]",
            "keys: {}", "key: []", "keys: [{id: A}]", "keys: [{id: A, file: a, state: old}]", "keys: [{id: A, file: a, app: x}]",
        ] {
            #expect(throws: ConfigurationError.self) { try KeyManifest(yaml: wrong, source: "keys.yaml") }
        }
    }
}
