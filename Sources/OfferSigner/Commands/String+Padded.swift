extension String {
    /// Returns the text with spaces appended, so that columns align.
    func padded(_ width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
