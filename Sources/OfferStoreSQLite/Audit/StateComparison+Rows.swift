import EligibilityRules
import GRDB
import OfferStore

extension StateComparison {
    /// Reads the events of campaigns, segments, proposals and endpoints, and then their rows, one at a time.
    static func fault(_ identity: AuditIdentity, _ database: Database) throws -> AuditFault? {
        try fault(identity.functions) { comparison in
            func forEach(_ sql: String, _ body: (Row) throws -> Void) throws {
                let rows = try Row.fetchCursor(database, sql: sql)
                while let row = try rows.next() { try body(row) }
            }
            try RecordedEvent.eachRecorded(actions, identity, database) { comparison.take($0) }
            try forEach("SELECT * FROM campaign_revision ORDER BY bundle_id, campaign_id, number") { row in
                comparison.compare(CampaignPublication(row: row), of: row["campaign_id"], row["bundle_id"])
            }
            try forEach(CampaignRecord.selection + " ORDER BY bundle_id, id") { try comparison.compare(CampaignRecord(row: $0)) }
            try forEach(
                """
                SELECT bundle_id, campaign_id FROM campaign_draft UNION SELECT bundle_id, campaign_id FROM campaign_tester
                EXCEPT SELECT bundle_id, id FROM campaign
                """
            ) { comparison.compare(strayOf: $0["campaign_id"], $0["bundle_id"]) }
            try forEach("SELECT * FROM segment ORDER BY bundle_id, id") { comparison.compare(SegmentRecord(row: $0)) }
            try forEach("SELECT * FROM key_proposal ORDER BY id") { comparison.compare(KeyProposal(row: $0)) }
            try forEach("SELECT * FROM event_endpoint ORDER BY endpoint") { row in
                comparison.compare(endpoint: row["endpoint"], disabledAt: Instant(milliseconds: row["disabled_at"]))
            }
        }
    }
}
