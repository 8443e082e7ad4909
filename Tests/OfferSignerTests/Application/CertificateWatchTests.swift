import Foundation
import Logging
import OfferSigningTesting
import Testing

@testable import OfferService
@testable import OfferSigner

@Suite("TLS files that change")
struct CertificateWatchTests {
    private let folder: TemporaryFolder
    private let files: ServiceConfiguration.TLS

    init() throws {
        folder = try TemporaryFolder()
        files = ServiceConfiguration.TLS(
            certificate: folder.path("certificate.pem"), privateKey: folder.path("key.pem"))
        try makePair(days: 10)
    }

    private func makePair(days: Int, certificate: String = "certificate.pem", key: String = "key.pem") throws {
        try folder.openssl(
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", key, "-out", certificate,
            "-days", "\(days)", "-subj", "/CN=localhost")
    }

    private func watch() throws -> CertificateWatch {
        try CertificateWatch(files, system: .live, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    private func days(_ watch: CertificateWatch) -> Double {
        let expiry = watch.samples().first { $0.name == "offersigner_tls_certificate_expiry_timestamp_seconds" }?.value ?? 0
        return ((expiry - Date().timeIntervalSince1970) / 86_400).rounded()
    }

    private func faults(_ watch: CertificateWatch) -> Double? {
        watch.samples().first { $0.name == "offersigner_tls_file_faults" }?.value
    }

    @Test("A new pair is in force from the next look on, and files that stay are not read again")
    func replaced() throws {
        let watch = try watch()
        let first = watch.context()
        watch.lookOnce()
        #expect(watch.context() === first)
        try makePair(days: 20)
        #expect(days(watch) == 10)
        watch.lookOnce()
        #expect(days(watch) == 20)
        #expect(watch.context() !== first)
        #expect(faults(watch) == 0)
    }

    @Test(
        "Files that cannot be used change nothing, are reported at the second look, and taken when they are whole",
        arguments: ["of another key", "cut in the middle", "empty", "gone", "nonsense", "a folder"])
    func unusable(_ fault: String) throws {
        let watch = try watch()
        let first = watch.context()
        try spoil(fault)
        watch.lookOnce()
        // The other file of the pair may be about to be replaced.
        #expect(faults(watch) == 0)
        for _ in 0..<3 {
            watch.lookOnce()
            #expect(faults(watch) == 1)
        }
        #expect(watch.context() === first)
        #expect(days(watch) == 10)
        try? FileManager.default.removeItem(atPath: files.certificate)
        try makePair(days: 30)
        watch.lookOnce()
        #expect(faults(watch) == 0)
        #expect(days(watch) == 30)
    }

    @Test("A pair whose second file comes between two looks is taken without a word")
    func oneAfterTheOther() throws {
        try makePair(days: 20, certificate: "next.pem", key: "next-key.pem")
        let watch = try watch()
        try replace(files.certificate, with: "next.pem")
        watch.lookOnce()
        #expect(days(watch) == 10)
        try replace(files.privateKey, with: "next-key.pem")
        watch.lookOnce()
        #expect(days(watch) == 20)
        #expect(faults(watch) == 0)
    }

    private func replace(_ path: String, with name: String) throws {
        try #require(rename(folder.path(name), path) == 0)
    }

    private func spoil(_ fault: String) throws {
        let text = try String(contentsOfFile: files.certificate, encoding: .utf8)
        switch fault {
        case "of another key": try makePair(days: 40, key: "other.pem")
        case "cut in the middle": try folder.write(String(text.prefix(text.count / 2)), to: "certificate.pem")
        case "empty": try folder.write("", to: "certificate.pem")
        case "nonsense": try folder.write("nonsense", to: "certificate.pem")
        default:
            try FileManager.default.removeItem(atPath: files.certificate)
            guard fault == "a folder" else { return }
            try FileManager.default.createDirectory(atPath: files.certificate, withIntermediateDirectories: false)
        }
    }
}
