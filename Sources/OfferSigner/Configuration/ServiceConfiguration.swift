import AppStore
import EligibilityRules
import Logging
import OfferHTTP
import OfferService

/// The whole configuration, typed and checked.
struct ServiceConfiguration {
    /// How strict the service is about its surroundings.
    enum Environment: String {
        case development, production
    }

    struct HTTP {
        let host: String
        let port: Int
        /// 0: one for each core.
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
        /// The clients that need a certificate, and the issuers that vouch for it.
        struct Clients {
            /// The file of the roots.
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
        /// Nil: a header signs no user in.
        let proxySignIn: ProxySignIn?
    }

    struct Address {
        let host: String
        let port: Int
    }

    let environment: Environment
    let http: HTTP
    let console: Console
    /// The address of `/metrics`; nil: the first port.
    let metrics: Address?
    let store: StoreLocation
    let requiresSynchronousStandby: Bool
    /// Keeps how far the database has come; nil for none.
    let positionFile: String?
    let retentionHours: Int64
    let notificationRetentionHours: Int64
    /// How far the clock may be ahead of the last use of the store, in ms.
    let maxClockAhead: Int64
    let auditSealSeconds: Int64
    let auditVerifyPercent: Int64
    let keys: KeySource
    let noncePeriodMinutes: Int64
    let requestsPerSecond: Int64
    let burst: Int64
    let bodyMegabytes: Int
    /// The rate limit of one end user.
    let endUserRate: (requestsPerMinute: Int64, burst: Int64)
    let logLevel: Logger.Level
    let offerLines: LoggedOffers
    let appStore: AppStoreEndpoints
    /// The files of the roots; empty: the built-in pin.
    let rootFiles: [String]
    /// 0: never.
    let pollSeconds: Int64
    /// 0: never.
    let catchUpSeconds: Int64
    /// 0: never.
    let lapsedRefreshHours: Int64
    let events: EventsConfiguration
    let apps: [AppConfiguration]
    /// The catalogues that App Store Connect stated; nil if no file keeps them.
    let catalogue: CatalogueStatement?
    /// The rates that add up revenue in one currency; nil: each currency stays by itself.
    let currencies: CurrencyTable?
    /// The keys that were set, for the audit log, without secrets.
    let facts: [String]
}
