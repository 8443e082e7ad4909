import NIOSSL

extension TLSConfiguration {
    /// TLS 1.2 and later with the configured certificate; throws if the files do not make a pair.
    static func server(_ files: ServiceConfiguration.TLS) throws -> TLSConfiguration {
        do {
            let chain = try NIOSSLCertificate.fromPEMFile(files.certificate).map(NIOSSLCertificateSource.certificate)
            let key = try NIOSSLPrivateKey(file: files.privateKey, format: .pem)
            var tls = TLSConfiguration.makeServerConfiguration(certificateChain: chain, privateKey: .privateKey(key))
            tls.minimumTLSVersion = .tlsv12
            return tls
        } catch {
            throw ConfigurationError("http.tls: \(files.certificate) or \(files.privateKey) cannot be used: \(error)")
        }
    }
}
