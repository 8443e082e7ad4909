/// One rule of how refund requests are answered.
public struct RefundPolicy: Hashable, Sendable {
    /// Unique in the app.
    public let name: String
    /// When it applies.
    public let conditions: RefundConditions
    /// What it answers.
    public let answer: RefundAnswer

    /// Takes the values as they are.
    public init(name: String, conditions: RefundConditions = RefundConditions(), answer: RefundAnswer) {
        self.name = name
        self.conditions = conditions
        self.answer = answer
    }
}

extension [RefundPolicy] {
    /// Returns the first policy that applies, and its answer as Apple accepts it.
    ///
    /// Without one there is no policy, and the answer has only what Apple requires.
    public func decide(_ purchase: RefundCase) -> (policy: RefundPolicy?, answer: RefundAnswer) {
        let policy = first { $0.conditions.holds(for: purchase) }
        return (policy, (policy?.answer ?? RefundAnswer()).fitted(to: purchase.kind))
    }
}
