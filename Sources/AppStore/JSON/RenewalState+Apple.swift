import EligibilityRules

extension RenewalState {
    /// 1…5; nil for reasons that nobody knows yet.
    static func expirationIntent(_ value: Int64?) -> UInt8? {
        value.flatMap { (1...5).contains($0) ? UInt8($0) : nil }
    }
}
