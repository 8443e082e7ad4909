extension String {
    /// With spaces behind it, so that columns stand below each other.
    func padded(_ width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
