/// A link at which the App Store gives an offer: the direct link of a win-back offer, or the link of an offer code.
public enum OfferLink {
    /// The most characters of a link.
    public static let maxLength = 1000
    /// How the App Store's own links begin.
    static let home = "https://apps.apple.com/"

    /// Whether a text can be a link.
    public static func isValid(_ text: String) -> Bool {
        text.hasPrefix("https://") && text.utf8.count <= maxLength && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    /// The Apple id of the app that the link of an offer code names; nil for any other link.
    static func appAppleID(of link: String) -> Int64? {
        guard link.hasPrefix(home + "redeem?") else { return nil }
        let parameters = link.drop { $0 != "?" }.dropFirst().split(separator: "&")
        return parameters.first { $0.hasPrefix("id=") }.flatMap { Int64($0.dropFirst("id=".count)) }
    }
}
