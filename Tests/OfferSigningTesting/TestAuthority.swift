package import Foundation
package import OfferSigning
import WireText

/// Certificates like Apple's, and every way in which they can be unlike, made by the openssl program.
package final class TestAuthority: Sendable {
    /// Made once a process; or why it could not be made.
    package static let shared = Result { try TestAuthority { try $0.makeSignedDataChains() } }

    /// 2023-06-15, when the leaves are valid: from 2022 to 2024, so that all have expired today.
    package static let signedDate: Int64 = 1_686_787_200_000

    static let authority = "basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign,cRLSign\n"
    static let intermediate = authority + "1.2.840.113635.100.6.2.1=ASN1:NULL\n"
    static let leaf = "keyUsage=critical,digitalSignature\n1.2.840.113635.100.6.11.1=ASN1:NULL\n"

    let folder: TemporaryFolder

    init(_ makeChains: (TestAuthority) throws -> Void) throws {
        folder = try TemporaryFolder()
        try folder.write(
            """
            [ca]
            default_ca = authority
            [authority]
            new_certs_dir = .
            database = index.txt
            rand_serial = yes
            default_md = sha384
            policy = names
            unique_subject = no
            [names]
            commonName = supplied
            """, to: "ca.cnf")
        try folder.write("", to: "index.txt")
        try makeChains(self)
    }

    private func makeSignedDataChains() throws {
        let (authority, intermediate, leaf) = (TestAuthority.authority, TestAuthority.intermediate, TestAuthority.leaf)
        try make("root", "P-384", by: nil, authority, subject: "Root", years: 2014...2039)
        try make("root-again", keyOf: "root", by: nil, authority, subject: "Root", years: 2015...2038)
        try make("root-short", keyOf: "root", by: nil, authority, subject: "Root", years: 2015...2016)
        try make("intermediate", "P-384", by: "root", intermediate, subject: "Intermediate", years: 2021...2036)
        try make("leaf", "P-256", by: "intermediate", leaf)
        try make("other-leaf", "P-256", by: "intermediate", leaf)
        try make("plain-leaf", "P-256", by: "intermediate", "keyUsage=critical,digitalSignature\n")
        try make("wrong-leaf", "P-256", by: "intermediate", leaf.replacing("6.11.1", with: "6.11.2"))
        try make("p384-leaf", "P-384", by: "intermediate", leaf)
        try make("rsa-leaf", nil, by: "intermediate", leaf)
        try make("leaf-of-root", "P-256", by: "root", leaf)
        try make("plain-intermediate", "P-384", by: "root", authority, years: 2021...2036)
        try make("leaf-of-plain", "P-256", by: "plain-intermediate", leaf)
        try make("rsa-intermediate", nil, by: "root", intermediate, years: 2021...2036)
        try make("leaf-of-rsa", "P-256", by: "rsa-intermediate", leaf)
        let noAuthority = intermediate.replacing("CA:TRUE", with: "CA:FALSE")
        try make("no-authority", "P-384", by: "root", noAuthority, years: 2021...2036)
        try make("leaf-of-no-authority", "P-256", by: "no-authority", leaf)
        // All the names are the genuine ones; only the keys are not.
        try make("forged-root", "P-384", by: nil, authority, subject: "Root", years: 2014...2039)
        try make("forged-intermediate", "P-384", by: "forged-root", intermediate, subject: "Intermediate", years: 2021...2036)
        try make("forged-leaf", "P-256", by: "forged-intermediate", leaf, subject: "leaf")
        try make("plain-forged-leaf", "P-256", by: "forged-intermediate", "keyUsage=critical,digitalSignature\n")
        try make("local", "P-256", by: nil, "keyUsage=critical,digitalSignature\n", years: 2022...2024)
        try make("other-local", "P-256", by: nil, "keyUsage=critical,digitalSignature\n", years: 2022...2024)
    }

    /// The certificate in DER.
    package func der(_ name: String) throws -> [UInt8] { try bytes("\(name).der") }

    /// The certificate in PEM.
    package func pem(_ name: String) throws -> [UInt8] { try bytes("\(name).pem") }

    /// The private key that belongs to a certificate, in PEM.
    package func privateKeyPEM(_ name: String) throws -> [UInt8] { try bytes("\(name).key") }

    /// A certificate's key, on P-256.
    package func key(_ name: String) throws -> SigningKey {
        let pem = try privateKeyPEM(name)
        return try pem.withUnsafeBytes { try SigningKey(id: name, pem: $0, passphrase: nil, slots: 2) }
    }

    /// Signed data: header and payload as given, `x5c` by the names of certificates, signed with the first one's key.
    package func jws(
        _ names: [String] = ["leaf", "intermediate", "root"],
        header: [String: Any] = [:],
        payload: String = #"{"transactionId":"2000000000000001","signedDate":1686787200000}"#,
        signedBy signer: String? = nil
    ) throws -> String {
        var members: [String: Any] = ["alg": "ES256", "x5c": try names.map { Data(try der($0)).base64EncodedString() }]
        members.merge(header) { $1 }
        return try jws(
            headerJSON: JSONSerialization.data(withJSONObject: members), payload: payload, signedBy: signer ?? names[0])
    }

    /// Signed data with any header.
    package func jws(headerJSON: Data, payload: String, signedBy signer: String) throws -> String {
        var text: [UInt8] = []
        Base64.appendURLSafe(Array(headerJSON), to: &text)
        text.append(0x2E)
        Base64.appendURLSafe(Array(payload.utf8), to: &text)
        let signature = try key(signer).sign(text).raw
        text.append(0x2E)
        Base64.appendURLSafe(signature, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    private func bytes(_ file: String) throws -> [UInt8] { Array(try Data(contentsOf: folder.url.appending(path: file))) }

    /// Makes a key (RSA without a curve, or that of another certificate) and a certificate for it.
    func make(
        _ name: String,
        _ curve: String? = nil,
        bits: Int = 2048,
        keyOf other: String? = nil,
        by issuer: String?,
        _ extensions: String,
        subject: String? = nil,
        years: ClosedRange<Int> = 2022...2024,
        digest: String = "sha384"
    ) throws {
        if let other {
            try FileManager.default.copyItem(atPath: folder.path("\(other).key"), toPath: folder.path("\(name).key"))
        } else if let curve {
            try folder.openssl(
                "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:\(curve)", "-out", "\(name).key")
        } else {
            try folder.openssl("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:\(bits)", "-out", "\(name).key")
        }
        try folder.openssl("req", "-new", "-key", "\(name).key", "-subj", "/CN=\(subject ?? name)", "-out", "\(name).csr")
        try folder.write(extensions, to: "\(name).ext")
        var arguments = ["ca", "-batch", "-notext", "-config", "ca.cnf", "-md", digest]
        arguments += ["-in", "\(name).csr", "-out", "\(name).pem"]
        arguments += ["-startdate", "\(years.lowerBound)0101000000Z", "-enddate", "\(years.upperBound)0101000000Z"]
        arguments += ["-extfile", "\(name).ext", "-keyfile", "\(issuer ?? name).key"]
        arguments += issuer.map { ["-cert", "\($0).pem"] } ?? ["-selfsign"]
        let (status, output) = try OpenSSLCommand.run(arguments, in: folder.url)
        guard status == 0 else {
            throw CocoaError(.fileWriteUnknown, userInfo: ["output": String(decoding: output, as: UTF8.self)])
        }
        try folder.openssl("x509", "-in", "\(name).pem", "-outform", "DER", "-out", "\(name).der")
    }
}
