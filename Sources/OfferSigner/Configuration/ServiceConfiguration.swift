import AppStore
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
        /// 0: one a core.
        let eventLoops: Int
        let idleTimeoutSeconds: Int64
        let connections: Int
        let connectionsPerAddress: Int
        let tls: TLS?
        let tlsEndsInProxy: Bool
        /// Who is believed about where requests come from.
        let proxies: [AddressRange]
    }

    struct TLS {
        /// Who has to bring a certificate, and who vouches for it.
        struct Clients {
            /// File.
            let roots: String
            /// Whether nobody may connect without.
            let isRequired: Bool
            /// Whose access keys are not taken without.
            let roles: Set<Role>
        }

        let certificate: String
        let privateKey: String
        var clients: Clients?
    }

    /// How somebody signs in, and for how long.
    struct Console {
        let idleMinutes: Int64
        let maxHours: Int64
        /// Nil: nobody is signed in by a header.
        let proxySignIn: ProxySignIn?
    }

    struct Address {
        let host: String
        let port: Int
    }

    let environment: Environment
    let http: HTTP
    let console: Console
    /// Where `/metrics` is served; nil: on the first port.
    let metrics: Address?
    let store: StoreLocation
    let requiresSynchronousStandby: Bool
    let retentionHours: Int64
    let notificationRetentionHours: Int64
    /// How far the clock may be beyond the last use of the store, in ms.
    let maxClockAhead: Int64
    let auditSealSeconds: Int64
    let auditVerifyPercent: Int64
    let keys: KeySource
    let noncePeriodMinutes: Int64
    let requestsPerSecond: Int64
    let burst: Int64
    let bodyMegabytes: Int
    /// What one end user may ask.
    let endUserRate: (requestsPerMinute: Int64, burst: Int64)
    let logLevel: Logger.Level
    /// Whether each offer has a line in the log.
    let logsSignatures: Bool
    let appStore: AppStoreEndpoints
    /// Files; empty: the built-in pin.
    let rootFiles: [String]
    /// 0: never.
    let pollSeconds: Int64
    /// 0: never.
    let catchUpSeconds: Int64
    /// 0: never.
    let lapsedRefreshHours: Int64
    let apps: [AppConfiguration]
    /// What App Store Connect said of their catalogues; nil where no file keeps it.
    let catalogue: CatalogueStatement?
    /// What was set, for the audit log; without secrets.
    let facts: [String]
}
