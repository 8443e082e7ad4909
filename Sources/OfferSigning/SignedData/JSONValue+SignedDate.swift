import WireText

extension JSONValue {
    /// 9999-12-31, the latest date in a certificate; ms since 1970.
    private static let latestDate: Int64 = 253_402_300_799_999

    /// The signing date in a payload, ms since 1970; nil if there is none.
    ///
    /// In app transactions it is `receiptCreationDate`. Xcode writes fractions, which are truncated.
    func signedDate() throws(SignedDataError) -> Int64? {
        guard let value = member("signedDate") ?? member("receiptCreationDate") else { return nil }
        guard case .number(let text) = value, let date = JSONValue.milliseconds(text) else {
            throw SignedDataError(.malformedPayload, "signedDate is not a number of milliseconds since 1970")
        }
        return date
    }

    private static func milliseconds(_ text: String) -> Int64? {
        if let whole = Int64(text) { return (0...latestDate).contains(whole) ? whole : nil }
        guard let number = Double(text), number >= 0, number <= Double(latestDate) else { return nil }
        return Int64(number)
    }
}
