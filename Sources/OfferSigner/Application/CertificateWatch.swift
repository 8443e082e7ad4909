import Logging
import NIOCore
import NIOSSL
import OfferService
import OfferSigning
import ServiceLifecycle
import Synchronization

/// The TLS certificate in force: read again when its files change, for connections that come from then on.
final class CertificateWatch: Service, MetricSource {
    private struct State {
        var tls: TLSConfiguration
        var version: [FileVersion?]
    }

    private let files: ServiceConfiguration.TLS
    private let interval: Duration
    private let system: SystemEnvironment
    private let logger: Logger
    private let state: Mutex<State>

    /// Throws if the files do not make a pair.
    init(
        _ files: ServiceConfiguration.TLS,
        interval: Duration = .seconds(1),
        system: SystemEnvironment,
        logger: Logger
    ) throws {
        self.files = files
        self.interval = interval
        self.system = system
        self.logger = logger
        let version = Self.version(of: files)
        state = Mutex(State(tls: try TLSConfiguration.server(files), version: version))
    }

    /// For a server: each handshake takes the certificate that is in force then.
    var configuration: TLSConfiguration {
        var tls = state.withLock(\.tls)
        tls.sslContextCallback = { [self] _, promise in
            let current = state.withLock(\.tls)
            var change = NIOSSLContextConfigurationOverride()
            change.certificateChain = current.certificateChain
            change.privateKey = current.privateKey
            promise.succeed(change)
        }
        return tls
    }

    /// Looks until the service stops.
    func run() async throws {
        await cancelWhenGracefulShutdown {
            while (try? await self.system.sleep(self.interval)) != nil { self.lookOnce() }
        }
    }

    /// Takes over what has changed. Files that are no pair change nothing; they are tried again when they change.
    func lookOnce() {
        let version = Self.version(of: files)
        guard version != state.withLock(\.version) else { return }
        do {
            let tls = try TLSConfiguration.server(files)
            state.withLock { $0 = State(tls: tls, version: version) }
            logger.notice("the TLS certificate was read again", metadata: ["file": "\(files.certificate)"])
        } catch {
            state.withLock { $0.version = version }
            logger.error("the TLS certificate cannot be read again; the old one stays", metadata: ["reason": "\(error)"])
        }
    }

    /// When the first of the chain's certificates expires.
    func samples() -> [MetricSample] {
        let expiry = state.withLock(\.tls).certificateChain.compactMap { source -> Double? in
            guard case .certificate(let certificate) = source else { return nil }
            return Double(certificate.notValidAfter)
        }.min()
        return expiry.map { [MetricSample(name: "offersigner_tls_certificate_expiry_timestamp_seconds", value: $0)] } ?? []
    }

    private static func version(of files: ServiceConfiguration.TLS) -> [FileVersion?] {
        [FileVersion(path: files.certificate), FileVersion(path: files.privateKey)]
    }
}
