import EligibilityRules

extension Campaign? {
    /// Returns the name of a variant, or its id where there is none.
    func label(ofVariant id: String) -> String { self?.design.variants.first { $0.id == id }?.label ?? id }
}
