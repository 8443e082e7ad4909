extension Condition {
    /// The storefronts that it asks for, in order and as written: of the last purchase, or by the caller's attribute `storefront`
    /// or `country`.
    public var storefronts: [String] {
        switch self {
        case .all(let parts), .any(let parts): parts.flatMap(\.storefronts)
        case .not, .segment: []
        case .test(let test): test.storefronts
        }
    }
}

extension ConditionTest {
    fileprivate var storefronts: [String] {
        switch subject {
        case .fact(ConditionFact.subscriptionStorefront.rawValue, _), .attribute("storefront"), .attribute("country"): break
        default: return []
        }
        let values: [ConditionValue] = if comparison == .oneOf, case .list(let list) = operand { list } else { [operand] }
        guard comparison == .is || comparison == .oneOf else { return [] }
        return values.compactMap(\.text)
    }
}
