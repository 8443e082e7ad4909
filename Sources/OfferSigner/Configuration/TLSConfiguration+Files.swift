import NIOCore
import NIOSSL
import OfferHTTP

extension TLSConfiguration {
    // How long a closed connection waits for the peer's own close_notify (RFC 8446, 6.1), which tells us nothing: all that we sent is
    // on its way. Who never sends it must not hold up a stop.
    private static let closingTime = TimeAmount.milliseconds(300)

    /// TLS 1.2 and later with the configured certificate; throws if the files do not make a pair.
    static func server(_ files: ServiceConfiguration.TLS) throws -> TLSConfiguration {
        let chain = try part("certificate", files.certificate, NIOSSLCertificate.fromPEMFile)
        let key = try part("privateKey", files.privateKey) { try NIOSSLPrivateKey(file: $0, format: .pem) }
        do {
            var tls = TLSConfiguration.makeServerConfiguration(
                certificateChain: chain.map(NIOSSLCertificateSource.certificate), privateKey: .privateKey(key))
            tls.minimumTLSVersion = .tlsv12
            tls.shutdownTimeout = closingTime
            _ = try NIOSSLContext(configuration: tls)
            return tls
        } catch {
            throw ConfigurationError("http.tls: \(files.certificate) and \(files.privateKey) are no pair: \(error)")
        }
    }

    private static func part<Value>(
        _ name: String,
        _ path: String,
        _ load: (String) throws -> Value
    ) throws -> Value {
        try TextFile.checkReadable(path, for: "http.tls.\(name)")
        do { return try load(path) } catch {
            throw ConfigurationError("http.tls.\(name): \(path) holds no PEM of one that can be used: \(error)")
        }
    }
}
