import GRDB
import OfferStore

extension Database {
    /// Has every process read again what it keeps of a topic, once this is committed.
    func noteChange(of topic: ChangeTopic) throws {
        try cachedStatement(sql: "UPDATE revision SET number = number + 1 WHERE topic = ?").execute(arguments: [topic.rawValue])
    }
}
