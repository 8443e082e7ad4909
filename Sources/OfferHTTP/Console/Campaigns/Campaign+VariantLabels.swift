import EligibilityRules

extension Campaign? {
    /// Returns the label of a variant, or its id if there is no campaign or no such variant.
    func label(ofVariant id: String) -> String { self?.design.variants.first { $0.id == id }?.label ?? id }
}
