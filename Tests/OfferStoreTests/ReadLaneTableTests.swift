import Foundation
import Testing

/// The lane of every read of the stores, by its purpose. Who adds a read decides here whether it may read many rows.
@Suite("Lanes of the stores' reads")
struct ReadLaneTableTests {
    private static let modules = ["OfferStoreSQL", "OfferStoreSQLite", "OfferStorePostgreSQL"]

    // A revocation waits for these. None may depend on how many signatures, customers or events there are.
    private static let urgent: Set = [
        "look for changes", "read the access keys", "read the decisions about signing keys",
        "read the proposals about signing keys",
    ]

    // A signature can wait for these: some rows by an index.
    private static let lookUps: Set = [
        "collect events", "count what testers have met", "list the sessions of the console", "look for a notification",
        "look for a receipt", "look for days to drop", "look for due receipts", "look for due refund requests",
        "look for due subscriptions", "look for events to deliver", "look for histories", "look for holds",
        "look for lapsed reservations", "look for testers", "look for the signatures of redemptions",
        "look for uncounted redemptions", "look up a campaign", "look up a consent", "look up a nonce", "look up a redemption",
        "look up a revision of a campaign", "look up a session of the console", "look up aliases", "look up an idempotency key",
        "look up history", "look up nonces", "look up redemptions", "look up refusals", "look which replicas live",
        "read a delivery of an event", "read a notification", "read notifications", "read progress", "read refund requests",
        "read subscription groups", "read the attempts of a delivery", "read the figures of campaigns",
        "read the latest instant", "read the latest seal", "read what is known of the clock",
        "read what is published of the campaigns", "read what the signing keys have signed", "read which campaigns have ended",
        "read who tries campaigns",
    ]

    // Lists, searches, counts, exports: they wait for each other only.
    private static let scans: Set = [
        "add up rows of the audit log", "count customers", "count receipts", "count receipts by key",
        "count rows of the audit log", "count the customers", "export the audit log", "go through the customers",
        "list deliveries of events", "list the activity of a campaign", "list the campaigns", "list the versions of campaigns",
        "list the revisions of a campaign", "list the segments", "look for a customer's events",
        "look for a customer's refusals", "look for a customer's signatures", "look for what is personal",
        "look into the audit log", "read campaigns", "read exposures", "read the ends of the audit log",
        "read the latest exposures",
        "read the state of endpoints",
        "read what a tester has met", "verify the audit log",
    ]

    @Test("Every read of a store takes the listed lane", arguments: modules)
    func lanes(_ module: String) throws {
        let listed = ["readUrgently": Self.urgent, "read": Self.lookUps, "scan": Self.scans]
        for (lane, purposes) in try Self.reads(in: module) {
            #expect(purposes.subtracting(listed[lane]!).sorted() == [], "\(module): not listed under \(lane)")
        }
    }

    @Test("Nothing is listed twice, or without a read")
    func list() throws {
        let all = Array(Self.urgent) + Array(Self.lookUps) + Array(Self.scans)
        #expect(Set(all).count == all.count)
        let found = try Self.modules.flatMap { try Self.reads(in: $0).values.flatMap(\.self) }
        #expect(Set(all).subtracting(found).sorted() == [])
    }

    /// The purposes of a module's reads, by lane, from its source. A purpose has a name in its file, or stands in the call.
    private static func reads(in module: String) throws -> [String: Set<String>] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources/\(module)").standardized
        let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        var reads: [String: Set<String>] = [:]
        for case let file as URL in files where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            let named = Set(text.matches(of: #/purpose\b[^=\n]* = \(?"(?<purpose>[^"]+)"/#).map { String($0.purpose) })
            for call in text.matches(of: #/\.(?<lane>readUrgently|read|scan)\(\s*(?:"(?<purpose>[^"]+)"|(?:Self\.)?purpose\b)/#) {
                reads[String(call.lane), default: []].formUnion(call.purpose.map { [String($0)] } ?? named)
            }
        }
        return reads
    }
}
