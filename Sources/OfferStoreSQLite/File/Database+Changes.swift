import GRDB
import OfferStore

extension Database {
    /// Makes every process reload its data of a topic once this is committed.
    func noteChange(of topic: ChangeTopic) throws {
        try cachedStatement(sql: "UPDATE revision SET number = number + 1 WHERE topic = ?").execute(arguments: [topic.rawValue])
    }
}
