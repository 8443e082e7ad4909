/// Checks a condition without faults for values that do not exist, and for parts that no customer can match.
struct ConditionCheck {
    let catalogue: Catalogue
    let segments: Segments

    /// Adds findings about the condition and its parts.
    ///
    /// - Parameter isDenied: whether the condition must not hold, because it stands inside a `not`. A part that never holds then
    ///   excludes no customer, which is only a warning.
    /// - Returns: whether an error was reported that explains why the condition can never hold, so that it is not reported again
    ///   for the groups around it.
    @discardableResult
    func check(_ condition: Condition, at path: String, isDenied: Bool = false, _ findings: inout [CampaignFinding]) -> Bool {
        var isReported = false
        switch condition {
        case .test(let test):
            let known = findings.count
            values(of: test, at: path, &findings)
            // The error that a value does not exist already explains why no customer matches.
            if findings[known...].contains(where: { $0.severity == .error }) { return true }
        case .segment: break
        case .not(let part): isReported = check(part, at: "\(path).not", isDenied: !isDenied, &findings)
        case .all(let parts): isReported = check(parts, at: "\(path).all", isDenied, &findings)
        case .any(let parts): isReported = check(parts, at: "\(path).any", isDenied, &findings)
        }
        guard !isReported, let compiled = compiled(condition), compiled.isDead else { return isReported }
        if isDenied {
            findings.append(
                CampaignFinding(
                    path, .deadCondition, "This excludes no customer: no value meets it. Remove it, or correct it.",
                    severity: .warning))
            return false
        }
        findings.append(CampaignFinding(path, .deadCondition, message(condition, compiled)))
        return true
    }

    private func check(_ parts: [Condition], at path: String, _ isDenied: Bool, _ findings: inout [CampaignFinding]) -> Bool {
        var isReported = false
        for (index, part) in parts.enumerated() {
            if check(part, at: "\(path)[\(index)]", isDenied: isDenied, &findings) { isReported = true }
        }
        return isReported
    }

    private func compiled(_ condition: Condition) -> CompiledCondition? {
        var compiler = ConditionCompiler(segments: segments)
        return compiler.compile(condition, at: "")
    }

    private func message(_ condition: Condition, _ compiled: CompiledCondition) -> String {
        let remedy = "No customer can match. Correct it or remove it."
        switch condition {
        case .test(let test):
            if test.operand == .list([]) {
                return "The list is empty, so no customer can match. Add a value, or remove the condition."
            }
            return "No value meets this: \(ConditionText.words(test)). \(remedy)"
        case .all(let parts):
            // Name the first two parts that contradict each other, if there are such two.
            for (index, part) in parts.enumerated() {
                for other in parts[..<index] {
                    guard let first = self.compiled(other), let second = self.compiled(part), first.excludes(second) else {
                        continue
                    }
                    return "These contradict each other: \(ConditionText.words(other)); \(ConditionText.words(part)). \(remedy)"
                }
            }
            return "These conditions contradict each other. \(remedy)"
        case .segment(let id): return "No customer can be in segment `\(id)`. Correct the segment."
        case .any, .not: return "This can never hold. \(remedy)"
        }
    }

    private func values(of test: ConditionTest, at path: String, _ findings: inout [CampaignFinding]) {
        guard case .fact(let name, let group) = test.subject, let fact = ConditionFact(rawValue: name) else { return }
        if let group, !catalogue.sorted.contains(where: { ExactText($0.groupID) == ExactText(group) }) {
            let known = Set(catalogue.sorted.map { ExactText($0.groupID) }).sorted().map { "`\($0.string)`" }
            findings.append(
                CampaignFinding(
                    "\(path).group", .unknownGroup,
                    "The catalogue has no subscription group `\(group)`. It has: \(known.joined(separator: ", "))."))
        }
        let isExact =
            test.comparison == .is || test.comparison == .oneOf || fact == .offersRedeemed && test.comparison == .contains
        guard isExact else { return }
        let operands: [(path: String, value: ConditionValue)]
        if case .list(let values) = test.operand {
            operands = values.enumerated().map { ("\(path).\(test.comparison.rawValue)[\($0)]", $1) }
        } else {
            operands = [("\(path).\(test.comparison.rawValue)", test.operand)]
        }
        for (path, value) in operands {
            if let finding = finding(fact, group, value, at: path) { findings.append(finding) }
        }
    }

    private func finding(_ fact: ConditionFact, _ group: String?, _ value: ConditionValue, at path: String) -> CampaignFinding? {
        if let values = fact.values, !values.contains(value) {
            return CampaignFinding(
                path, .unknownValue,
                "`\(fact.rawValue)` is never `\(ConditionText.words(value))`. Use one of: "
                    + "\(values.map { ConditionText.words($0) }.joined(separator: ", ")).")
        }
        guard let text = value.text else { return nil }
        switch fact {
        case .subscriptionStorefront where !text.isStorefront:
            return CampaignFinding(
                path, .unknownValue,
                "`\(text)` is not a storefront. Give a country as three capital letters, as in USA.")
        case .subscriptionProductID:
            let product = catalogue.product(text)
            guard product == nil || ExactText(product!.groupID) != ExactText(group ?? "") else { return nil }
            let why = product.map { "It is in group `\($0.groupID)`" } ?? "The catalogue has no such product"
            return CampaignFinding(
                path, .unknownValue, "\(why): `\(text)`. Only customers who bought it before can match. Check the id.",
                severity: .warning)
        case .offersRedeemed where !catalogue.sorted.contains { $0.promotionalOffers[ExactText(text)] != nil }:
            return CampaignFinding(
                path, .unknownValue,
                "The catalogue has no promotional offer `\(text)`. That is right only for offer codes and former offers.",
                severity: .warning)
        default: return nil
        }
    }
}

extension String {
    /// Whether the text has the form of an ISO 3166-1 alpha-3 code.
    fileprivate var isStorefront: Bool { utf8.count == 3 && utf8.allSatisfy { (0x41...0x5A).contains($0) } }
}
