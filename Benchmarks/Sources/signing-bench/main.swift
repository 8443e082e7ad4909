// How many payload signatures one core makes: joining the fields, SHA-256 and ECDSA, as the service does for each offer.
// usage: signing-bench --pem FILE --seconds N   prints {"signaturesPerSecond": …, "seconds": …}, by user CPU time like `openssl speed`

import Foundation
import Glibc
import OfferSigning

func value(of option: String) -> String? {
    let arguments = CommandLine.arguments
    guard let index = arguments.firstIndex(of: option), index + 1 < arguments.count else { return nil }
    return arguments[index + 1]
}

func userSeconds() -> Double {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return Double(usage.ru_utime.tv_sec) + Double(usage.ru_utime.tv_usec) / 1e6
}

try Crypto.hardenProcess()
guard let file = value(of: "--pem"), let seconds = value(of: "--seconds").flatMap(Double.init) else {
    fatalError("usage: signing-bench --pem FILE --seconds N")
}
let pem = try Data(contentsOf: URL(filePath: file))
let key = try pem.withUnsafeBytes { try SigningKey(id: "EXAMPLE123", pem: $0, passphrase: nil, slots: 1) }
// Nonces are the service's affair; here only what a signature itself costs is timed.
let nonces = (0..<1000).map { _ in UUID() }
let start = userSeconds()
var signatures = 0
var elapsed = 0.0
while elapsed < seconds {
    for nonce in nonces {
        let payload = try OfferPayload(
            bundleID: "com.example.app", keyID: key.id, productID: "com.example.pro.monthly", offerID: "winback50",
            applicationUsername: "u-123", nonce: nonce, timestamp: 1_700_000_000_000)
        let signature = try key.sign(payload.bytes)
        precondition(signature.der.count > 60)
    }
    signatures += 1000
    elapsed = userSeconds() - start
}
print("{\"signaturesPerSecond\": \(Double(signatures) / elapsed), \"seconds\": \(elapsed)}")
