import OfferStore

extension Transaction {
    /// Makes every process reload its data of a topic once this is durable.
    func noteChange(of topic: ChangeTopic) {
        enqueue(Statement("UPDATE revision SET number = number + 1 WHERE topic = $1", [.text(topic.rawValue)]))
    }
}
