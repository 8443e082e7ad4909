/// A test of a condition, with its name and operand parsed.
struct CompiledTest: Hashable, Sendable {
    enum Subject: Hashable, Sendable {
        case fact(FactReference)
        case attribute(AttributeName)
    }

    let subject: Subject
    let test: ValueTest

    func truth(_ facts: borrowing CustomerFacts, _ attributes: borrowing Attributes) -> Truth {
        switch subject {
        case .fact(let reference): test.truth(of: reference, facts)
        case .attribute(let name): test.truth(of: attributes[name], at: facts.asOf)
        }
    }

    /// Returns the value that the test reads.
    func value(_ facts: borrowing CustomerFacts, _ attributes: borrowing Attributes) -> ConditionValue? {
        switch subject {
        case .fact(let reference): facts.value(reference)
        case .attribute(let name): attributes[name]
        }
    }
}
