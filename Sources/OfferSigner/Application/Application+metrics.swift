import AppStore
import NIOSSL
import OfferService

extension ServiceApplication {
    /// Lets the metrics tell of what is looked at only when they are asked for.
    static func addMetrics(
        to registry: PrometheusRegistry,
        _ configuration: ServiceConfiguration,
        rounds: RoundTimes,
        tls: TLSConfiguration?,
        keys: KeyMetrics
    ) {
        let version = MetricSample.Label("version", ProgramVersion.current)
        var fixed = [MetricSample(name: "offersigner_build_info", labels: [version], value: 1)]
        if let expiry = tls?.expiry {
            fixed.append(MetricSample(name: "offersigner_tls_certificate_expiry_timestamp_seconds", value: expiry))
        }
        let store = StoreMetrics(signatures: configuration.sqlitePath, histories: configuration.historiesPath)
        let sources: [any MetricSource] = [FixedMetrics(values: fixed), ProcessMetrics(), store, keys, rounds]
        for source in sources { registry.add(source) }
    }

    /// What is done in the background with this configuration.
    static func rounds(_ configuration: ServiceConfiguration, serverAPIs: [String: ServerAPI]) -> [RoundTimes.Round] {
        guard !serverAPIs.isEmpty else { return [] }
        let polls: [RoundTimes.Round] = configuration.pollSeconds > 0 ? [.renewalPoll] : []
        let catchUps = configuration.catchUpSeconds > 0 ? serverAPIs.keys.map(RoundTimes.Round.catchUp) : []
        return polls + catchUps
    }
}

extension TLSConfiguration {
    /// When the first of the chain's certificates expires, in seconds since 1970.
    fileprivate var expiry: Double? {
        certificateChain.compactMap { source in
            guard case .certificate(let certificate) = source else { return nil }
            return Double(certificate.notValidAfter)
        }.min()
    }
}
