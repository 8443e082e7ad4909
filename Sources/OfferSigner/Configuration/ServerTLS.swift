import NIOCore
import NIOSSL

/// What the TLS files amount to: one context, which connections are made with.
struct ServerTLS {
    // How long a closed connection waits for the peer's own close_notify (RFC 8446, 6.1), which tells us nothing: all that we sent is
    // on its way. Who never sends it must not hold up a stop.
    private static let closingTime = TimeAmount.milliseconds(300)

    let context: NIOSSLContext
    /// When the first certificate of the chain expires, in seconds since 1970.
    let expiry: Double?

    /// TLS 1.2 and later with the configured certificate; throws if the files do not make a pair, or have no roots for clients.
    init(_ files: ServiceConfiguration.TLS) throws {
        let chain = try Self.part("certificate", files.certificate, NIOSSLCertificate.fromPEMFile)
        let key = try Self.part("privateKey", files.privateKey) { try NIOSSLPrivateKey(file: $0, format: .pem) }
        var tls = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map(NIOSSLCertificateSource.certificate), privateKey: .privateKey(key))
        tls.minimumTLSVersion = .tlsv12
        tls.shutdownTimeout = Self.closingTime
        if let clients = files.clients {
            // Never without roots of one's own: the default are those of the system, which vouch for half the world.
            let roots = try Self.part("clientCertificates", clients.roots, NIOSSLCertificate.fromPEMFile)
            tls.trustRoots = .certificates(roots)
            tls.certificateVerification = clients.isRequired ? .noHostnameVerification : .optionalVerification
            tls.sendCANameList = true
        }
        do { context = try NIOSSLContext(configuration: tls) } catch {
            throw ConfigurationError("http.tls: \(files.certificate) and \(files.privateKey) are no pair: \(error)")
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
