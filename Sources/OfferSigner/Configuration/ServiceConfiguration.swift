import AppStore
import EligibilityRules
import Logging
import OfferHTTP
import OfferService
import OfferSigning
import OfferStore

/// The whole configuration, with typed and checked values.
struct ServiceConfiguration {
    /// How strict the service is about its own set-up.
    enum Environment: String {
        case development, production
    }

    struct HTTP {
        let host: String
        let port: Int
        /// The number of event loops; 0 means one for each core.
        let eventLoops: Int
        let idleTimeoutSeconds: Int64
        let connections: Int
        let connectionsPerAddress: Int
        let tls: TLS?
        let tlsEndsInProxy: Bool
        /// The proxies that are trusted about where requests come from.
        let proxies: [AddressRange]
    }

    struct TLS {
        /// Which clients need a certificate, and whose certificates are accepted.
        struct Clients {
            /// The file with the roots of clients' certificates.
            let roots: String
            /// Whether every connection needs a certificate.
            let isRequired: Bool
            /// The roles whose access keys need a certificate.
            let roles: Set<Role>
        }

        let certificate: String
        let privateKey: String
        var clients: Clients?
    }

    /// How users sign in, and for how long.
    struct Console {
        let idleMinutes: Int64
        let maxHours: Int64
        /// The sign-in by a header of a proxy; nil if no header signs a user in.
        let proxySignIn: ProxySignIn?
    }

    struct Address {
        let host: String
        let port: Int
    }

    let environment: Environment
    let http: HTTP
    let console: Console
    /// The address that serves `/metrics`; nil if the main port does.
    let metrics: Address?
    let store: StoreLocation
    let requiresSynchronousStandby: Bool
    /// The file that records the database's position, so that the service notices if the database was replaced by an earlier
    /// copy; nil if there is no such file.
    let positionFile: String?
    let retentionHours: Int64
    let notificationRetentionHours: Int64
    /// How far the clock may be ahead of the last use of the store, in ms.
    let maxClockAhead: Int64
    let auditSealSeconds: Int64
    let auditVerifyPercent: Int64
    let keys: KeySource
    let noncePeriodMinutes: Int64
    /// The rate of one access key.
    let accessKeyRate: RateLimit
    let bodyMegabytes: Int
    /// The rate of one end user.
    let endUserRate: RateLimit
    let logLevel: Logger.Level
    let offerLines: LoggedOffers
    let appStore: AppStoreEndpoints
    /// The files of the trusted roots. If it is empty, the built-in fingerprint of Apple's root counts.
    let rootFiles: [String]
    /// The time between two rounds of asking the App Store about subscriptions; 0 means never.
    let pollSeconds: Int64
    /// The time between two looks for notifications that did not arrive; 0 means never.
    let catchUpSeconds: Int64
    /// The shortest time between two questions to the App Store about a lapsed subscription; 0 means that none is asked.
    let lapsedRefreshHours: Int64
    let events: EventsConfiguration
    let apps: [AppConfiguration]
    /// What App Store Connect reports about the catalogues, and how the configuration differs; nil if there is no file of
    /// `catalogue pull`.
    let catalogue: CatalogueStatement?
    /// The exchange rates with which revenue is added up in one currency; nil if each currency is shown separately.
    let currencies: CurrencyTable?
    /// The keys that were set, with their values.
    let settings: ConfigurationSettings
}

extension ServiceConfiguration {
    /// The warning if `lacksHistories` is true.
    static let lackOfHistories =
        "there are signatures but no purchase histories, and eligibility is enforced: every customer counts as new"

    /// Whether histories seem to be lost: there are none although there are signatures, and an app enforces eligibility.
    func lacksHistories(_ histories: any HistoryStore, _ ledger: any Ledger) async throws -> Bool {
        guard apps.contains(where: { $0.enforcement == .enforce }), try await histories.isEmpty() else { return false }
        return try await ledger.latestInstant() != nil
    }
}

extension ServiceConfiguration {
    /// Returns the differences between the configuration and the pulled file; nil if there is no such file.
    static func catalogueStatement(_ tree: ConfigurationTree) throws(ConfigurationError) -> CatalogueStatement? {
        guard let file = tree.text("catalogue.file"), let status = FileStatus(path: file) else { return nil }
        let said = try CatalogueFile.apps(try TextFile.read(file, for: "catalogue.file"), source: file)
        let differences = CatalogueDifference.all(configured: tree.root.list("apps"), connect: said).map { difference in
            CatalogueStatement.Difference(
                place: difference.place, field: difference.field, configured: difference.configured, connect: difference.connect)
        }
        return CatalogueStatement(
            file: file.split(separator: "/").last.map(String.init) ?? file,
            writtenAt: Instant(milliseconds: status.modifiedAt * 1000), apps: Set(said.compactMap { $0.text("bundleId") }),
            differences: differences)
    }
}

extension ServiceConfiguration.TLS {
    private static let section = "http.tls"

    /// Returns nil if TLS is off. Records conflicting values as problems.
    init?(_ tree: ConfigurationTree, _ problems: inout [String]) {
        let clients = Clients(tree, &problems)
        switch (tree.text("http.tls.certificate"), tree.text("http.tls.privateKey")) {
        case (let certificate?, let key?): self.init(certificate: certificate, privateKey: key, clients: clients)
        case (nil, nil):
            // A configuration that asks for certificates of clients is refused without TLS: no client could present one.
            if clients != nil { problems.append("http.tls.clientCertificates: needs http.tls.certificate and privateKey") }
            return nil
        default:
            problems.append("http.tls: certificate and privateKey belong together")
            return nil
        }
    }
}

extension ServiceConfiguration.TLS.Clients {
    fileprivate init?(_ tree: ConfigurationTree, _ problems: inout [String]) {
        let section = tree.root["http"]?["tls"]
        guard let roots = tree.text("http.tls.clientCertificates") else {
            for name in ["clientCertificateMode", "clientCertificateRoles"] where section?[name] != nil {
                problems.append("http.tls.\(name): needs http.tls.clientCertificates")
            }
            return nil
        }
        var roles: Set<Role> = []
        let path = "http.tls.clientCertificateRoles"
        for name in section?["clientCertificateRoles"] == nil ? ["backend"] : tree.texts(path) {
            guard let role = Role(rawValue: name) else {
                let known = Role.allCases.map(\.rawValue).joined(separator: ", ")
                problems.append("\(path): \(name) is not a role; use one of \(known)")
                continue
            }
            roles.insert(role)
        }
        self.init(roots: roots, isRequired: tree.text("http.tls.clientCertificateMode") == "required", roles: roles)
    }
}
