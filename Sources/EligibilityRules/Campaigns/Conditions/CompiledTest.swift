/// A test of a condition whose name and operand have been parsed.
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

    /// Returns the value that is tested; nil if it is missing.
    func value(_ facts: borrowing CustomerFacts, _ attributes: borrowing Attributes) -> ConditionValue? {
        switch subject {
        case .fact(let reference): facts.value(reference)
        case .attribute(let name): attributes[name]
        }
    }
}

extension CompiledTest {
    /// Parses a test; the result is nil if the test has a fault, which is then added to the findings.
    init?(_ written: ConditionTest, at path: String, _ findings: inout [CampaignFinding]) {
        guard let subject = CompiledTest.subject(written.subject, at: path, &findings) else { return nil }
        var kind: ConditionFact.Kind?
        if case .fact(let reference) = subject { kind = reference.fact.kind }
        if case .fact(let reference) = subject, !written.comparison.fits(reference.fact.kind) {
            let fitting = ConditionOperator.allCases.filter { $0.fits(reference.fact.kind) }.map(\.rawValue)
            findings.append(
                CampaignFinding(
                    "\(path).\(written.comparison.rawValue)", .operatorDoesNotFit,
                    "`\(reference.fact.rawValue)` does not support `\(written.comparison.rawValue)`."
                        + " Use one of: \(fitting.joined(separator: ", "))."))
            return nil
        }
        guard let test = ValueTest(written, kind) else {
            findings.append(
                CampaignFinding(
                    "\(path).\(written.comparison.rawValue)", .wrongOperand, ValueTest.wanted(by: written.comparison, kind)))
            return nil
        }
        self.init(subject: subject, test: test)
    }

    private static func subject(
        _ written: ConditionTest.Subject,
        at path: String,
        _ findings: inout [CampaignFinding]
    ) -> Subject? {
        switch written {
        case .attribute(let name):
            guard (1...CampaignFinding.nameLimit).contains(name.utf8.count) else {
                findings.append(
                    CampaignFinding(
                        "\(path).attribute", .invalidName,
                        "The name has \(name.utf8.count) bytes. Give it 1 to \(CampaignFinding.nameLimit)."))
                return nil
            }
            return .attribute(AttributeName(name))
        case .fact(let name, let group):
            guard let fact = ConditionFact.allCases.first(where: { ExactText($0.rawValue) == ExactText(name) }) else {
                findings.append(
                    CampaignFinding(
                        "\(path).fact", .unknownFact,
                        "`\(name)` is not a fact. Use one of: \(ConditionFact.allCases.map(\.rawValue).joined(separator: ", "))."
                    ))
                return nil
            }
            if group?.isEmpty ?? fact.needsGroup {
                findings.append(
                    CampaignFinding(
                        "\(path).group", .groupMissing,
                        "`\(name)` is a fact of the subscription in one group. Name the group by its id."))
                return nil
            }
            if group != nil, !fact.takesGroup {
                findings.append(
                    CampaignFinding(
                        "\(path).group", .groupNotTaken, "`\(name)` is the same for every group. Leave the group out."))
                return nil
            }
            return .fact(FactReference(fact: fact, group: group.map(ExactText.init)))
        }
    }
}
