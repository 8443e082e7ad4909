import NIOCore
import NIOSSL

/// The context for connections that is made from the TLS files.
struct ServerTLS {
    // How long a closed connection waits for the peer's own close_notify (RFC 8446, 6.1). The service does not need it, because
    // everything that it sent is on its way. A peer that never sends it must not delay the end of the service.
    private static let closingTime = TimeAmount.milliseconds(300)

    let context: NIOSSLContext
    /// When the first certificate of the chain expires, in seconds since 1970.
    let expiry: Double?

    /// Makes a context for TLS 1.2 and later. Throws if certificate and key are not a pair, or a file cannot be used.
    init(_ files: ServiceConfiguration.TLS) throws {
        let chain = try Self.part("certificate", files.certificate, NIOSSLCertificate.fromPEMFile)
        let key = try Self.part("privateKey", files.privateKey) { try NIOSSLPrivateKey(file: $0, format: .pem) }
        var tls = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map(NIOSSLCertificateSource.certificate), privateKey: .privateKey(key))
        tls.minimumTLSVersion = .tlsv12
        tls.shutdownTimeout = Self.closingTime
        if let clients = files.clients {
            // The roots are always the configured ones. The default roots are those of the system, which would admit clients of
            // any public issuer.
            let roots = try Self.part("clientCertificates", clients.roots, NIOSSLCertificate.fromPEMFile)
            tls.trustRoots = .certificates(roots)
            tls.certificateVerification = clients.isRequired ? .noHostnameVerification : .optionalVerification
            tls.sendCANameList = true
        }
        do { context = try NIOSSLContext(configuration: tls) } catch {
            throw ConfigurationError("http.tls: \(files.certificate) and \(files.privateKey) are not a pair: \(error)")
        }
        expiry = chain.map { Double($0.notValidAfter) }.min()
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
