// Lets other people's crypto look at ours.
//
// signing-probe KEYFILE                signs the JSON lines of standard input, answers each with payload and signature
// signing-probe KEYFILE --scan TEXT…   loads the key, signs, frees it, and counts how often each secret stands in its own memory;
//                                      a TEXT is the secret in hexadecimal, every byte XOR 0x5A, so as not to be found itself

import Foundation
import OfferSigning
import WireText

struct Tuple: Decodable {
    let bundleId: String
    let keyId: String
    let productId: String
    let offerId: String
    let applicationUsername: String
    let nonce: UUID
    let timestamp: Int64
}

struct Signed: Encodable {
    let payload: String
    let signature: String
}

func sign(_ lines: some Sequence<String>, with key: SigningKey) throws {
    for line in lines {
        let tuple = try JSONDecoder().decode(Tuple.self, from: Data(line.utf8))
        let payload = try OfferPayload(
            bundleID: tuple.bundleId,
            keyID: tuple.keyId,
            productID: tuple.productId,
            offerID: tuple.offerId,
            applicationUsername: OfferPayload.normalisedUsername(tuple.applicationUsername),
            nonce: tuple.nonce,
            timestamp: tuple.timestamp
        ).bytes
        let signed = Signed(
            payload: Crypto.hexadecimal(payload), signature: Base64.encode(try key.sign(payload).der))
        print(String(decoding: try JSONEncoder().encode(signed), as: UTF8.self))
    }
}

func scan(_ file: KeyFile, _ secrets: [MaskedSecret]) throws {
    func load() throws -> [Int] {
        let key = try file.load(passphrase: nil, slots: 2)
        for _ in 0..<100 { _ = try key.sign(Array("a message".utf8)) }
        return withExtendedLifetime(key) { secrets.map { $0.occurrences() } }
    }
    let live = try load()
    print("{\"live\": \(live), \"freed\": \(secrets.map { $0.occurrences() })}")
}

try Crypto.hardenProcess()
let arguments = CommandLine.arguments
guard arguments.count >= 2 else { fatalError("usage: signing-probe KEYFILE [--scan TEXT…]") }
let file = KeyFile(path: arguments[1])
if arguments.count > 3, arguments[2] == "--scan" {
    try scan(file, arguments[3...].map(MaskedSecret.init))
} else {
    let key = try file.load(passphrase: nil, slots: 1)
    try sign(AnySequence { AnyIterator { readLine() } }, with: key)
}
