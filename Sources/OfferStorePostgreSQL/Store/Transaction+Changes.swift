import OfferStore

extension Transaction {
    /// Has every process read again what it keeps of a topic, once this is durable.
    func noteChange(of topic: ChangeTopic) {
        enqueue(Statement("UPDATE revision SET number = number + 1 WHERE topic = $1", [.text(topic.rawValue)]))
    }
}
