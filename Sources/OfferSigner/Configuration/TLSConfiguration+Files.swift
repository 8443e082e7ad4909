import NIOSSL

extension TLSConfiguration {
    /// TLS 1.2 and later with the configured certificate; throws if the files do not make a pair.
    static func server(_ files: ServiceConfiguration.TLS) throws -> TLSConfiguration {
        let chain = try part("certificate", files.certificate) { try NIOSSLCertificate.fromPEMBytes(Array($0.utf8)) }
        let key = try part("privateKey", files.privateKey) { try NIOSSLPrivateKey(bytes: Array($0.utf8), format: .pem) }
        do {
            var tls = TLSConfiguration.makeServerConfiguration(
                certificateChain: chain.map(NIOSSLCertificateSource.certificate), privateKey: .privateKey(key))
            tls.minimumTLSVersion = .tlsv12
            _ = try NIOSSLContext(configuration: tls)
            return tls
        } catch {
            throw ConfigurationError("http.tls: \(files.certificate) and \(files.privateKey) are no pair: \(error)")
        }
    }

    private static func part<Value>(
        _ name: String,
        _ path: String,
        _ parse: (String) throws -> Value
    ) throws -> Value {
        let text = try TextFile.read(path, for: "http.tls.\(name)")
        do { return try parse(text) } catch {
            throw ConfigurationError("http.tls.\(name): \(path) holds no PEM of one that can be used: \(error)")
        }
    }
}
