import WireText

extension JSONValue {
    /// The end of the year 9999, in ms since 1970. It is the latest date that a certificate can have.
    private static let latestDate: Int64 = 253_402_300_799_999

    /// Returns the signing date in a payload, in ms since 1970; nil if there is none.
    ///
    /// In an app transaction the signing date is `receiptCreationDate`. Xcode writes dates with fractions, which are cut off.
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
