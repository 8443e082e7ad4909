import WireText

/// The contents of a file with certificates, in PEM or DER.
struct CertificateFile {
    private static let largest = 256 * 1024
    private static let begin = "-----BEGIN "
    private static let dashes = "-----"

    private let contents: [UInt8]
    private let name: String

    /// - Parameter name: the words with which errors refer to the file.
    init(_ contents: [UInt8], name: String) {
        self.contents = contents
        self.name = name
    }

    /// Returns all certificates in the file. Throws if there is none.
    func certificates() throws(SignedDataError) -> [Certificate] {
        guard !contents.isEmpty else { throw error("is empty") }
        guard contents.count <= CertificateFile.largest else {
            throw error("has more than \(CertificateFile.largest) bytes; a certificate has some 1000")
        }
        if let certificate = Certificate(der: contents) { return [certificate] }
        let blocks = try pemBlocks()
        guard !blocks.isEmpty else {
            throw error("is neither one certificate in DER nor PEM with a line '-----BEGIN CERTIFICATE-----'")
        }
        var certificates: [Certificate] = []
        for (index, block) in blocks.enumerated() {
            guard let der = Base64.decode(block.filter { !$0.isWhiteSpace }) else {
                throw error("certificate \(index + 1) is not Base64; was the file cut off?")
            }
            guard let certificate = Certificate(der: der) else {
                throw error("certificate \(index + 1) is not an X.509 certificate of at most \(Certificate.capacity) bytes")
            }
            certificates.append(certificate)
        }
        return certificates
    }

    private func pemBlocks() throws(SignedDataError) -> [[UInt8]] {
        var blocks: [[UInt8]] = []
        var open: [UInt8]?
        for line in contents.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            let text = String(decoding: line, as: UTF8.self).trimmed
            if text.hasPrefix(CertificateFile.begin), text.hasSuffix(CertificateFile.dashes) {
                let label = text.dropFirst(CertificateFile.begin.count).dropLast(CertificateFile.dashes.count)
                guard label == "CERTIFICATE" else { throw error("holds a \(label), not a CERTIFICATE") }
                guard open == nil else { throw error("certificate \(blocks.count + 1) has no end") }
                open = []
            } else if text == "-----END CERTIFICATE-----", let block = open {
                blocks.append(block)
                open = nil
            } else {
                open?.append(contentsOf: line)
            }
        }
        guard open == nil else { throw error("certificate \(blocks.count + 1) has no end; was the file cut off?") }
        return blocks
    }

    private func error(_ finding: String) -> SignedDataError {
        SignedDataError(.unusableTrustedRoot, "\(name): \(finding)")
    }
}

extension UInt8 {
    fileprivate var isWhiteSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }
}
