import ArgumentParser
import EligibilityRules
import FoundationEssentials
import OfferService
import OfferSigning
import OfferStore

/// What the audit chain adds to a signature: encoding the row, the digest of what is personal, the link.
struct AuditBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Prints {\"cpuMicrosPerSignature\": …, \"signatures\": …}, by CPU time.")

    @Option(help: "The key's file; nothing is signed with it.") var key: String
    @Option(help: "How long, in seconds of CPU time.") var seconds: Double
    @Option(help: "Offers in each request.") var offers = 1

    func run() throws {
        let functions = AuditFunctions.openSSL
        let identity = try AuditIdentity(functions) { try $0() }
        var chains = AuditChains()
        let id = try Crypto.randomBytes(AuditChain.idLength)
        chains.open(
            AuditChain(number: 1, id: id, writer: id, table: .signatures, openedAt: Instant(milliseconds: 0)), functions)
        let row = AuditRowEncoder()
        let entry = entry
        let nonces = [UInt8](repeating: 1, count: offers * LedgerSignature.nonceLength)
        let digests = [UInt8](repeating: 2, count: offers * LedgerSignature.digestLength)
        var list: [UInt8] = []
        entry.signatures.withUnsafeBufferPointer { OfferList.append($0, to: &list) }
        let start = CPUTime.total
        var (rows, elapsed) = (Int64(0), 0.0)
        while elapsed < seconds {
            for _ in 0..<1000 {
                rows += 1
                nonces.withUnsafeBytes { nonces in
                    digests.withUnsafeBytes { digests in
                        list.withUnsafeBytes {
                            row.encode(entry, id: rows, nonces: nonces, digests: digests, offers: $0, identity.keyed)
                        }
                    }
                }
                _ = chains.extend(.signatures, id: rows, row, functions)
            }
            elapsed = CPUTime.total - start
        }
        let signatures = Int(rows) * offers
        print("{\"cpuMicrosPerSignature\": \(elapsed * 1e6 / Double(signatures)), \"signatures\": \(signatures)}")
    }

    /// As one of the load generator's requests makes it.
    private var entry: LedgerEntry {
        LedgerEntry(
            signedAt: Instant(milliseconds: 1_700_000_000_000), partition: AppPartition(bundleID: "com.example.app"),
            keyID: "ABCDEFGHIJ", form: .payload,
            request: LedgerRequest(
                id: UUID().uuidString, caller: "0123456789abcdef", address: "127.0.0.1", customerID: nil,
                applicationUsername: "customer-000001@example.com", transactionID: nil),
            signatures: (0..<offers).map {
                LedgerSignature(
                    nonce: UUID(), productID: "com.example.pro.monthly", offerID: "winback-\($0)",
                    digest: [UInt8](repeating: 2, count: LedgerSignature.digestLength))
            })
    }
}
