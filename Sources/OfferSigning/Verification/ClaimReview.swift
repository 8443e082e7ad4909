import FoundationEssentials
import WireText

/// Compares the claims of a JWS with those that Apple documents for its purpose.
///
/// The App Store refuses a JWS with any other claim, and does not say which claim it refuses.
struct ClaimReview {
    private enum Kind {
        case text
        case integer
        case flag
    }

    private struct Claim {
        let name: String
        let kind: Kind
        var isRequired = true
    }

    /// The claims of every purpose, and further claims by the value of `aud`.
    private static let common = [
        Claim(name: "iss", kind: .text), Claim(name: "iat", kind: .integer), Claim(name: "aud", kind: .text),
        Claim(name: "bid", kind: .text), Claim(name: "nonce", kind: .text),
    ]
    private static let further = [
        JWSClaims.Purpose.promotionalOffers: [
            Claim(name: "productId", kind: .text), Claim(name: "offerIdentifier", kind: .text),
            Claim(name: "transactionId", kind: .text, isRequired: false),
        ],
        JWSClaims.Purpose.introductoryOffers: [
            Claim(name: "productId", kind: .text), Claim(name: "allowIntroductoryOffer", kind: .flag),
            Claim(name: "transactionId", kind: .text),
        ],
    ]
    /// The claims by other names that programs give them, in lower case without punctuation.
    private static let otherNames = [
        "bundleid": "bid", "bundle": "bid", "issuer": "iss", "issuerid": "iss", "issuedat": "iat", "timestamp": "iat",
        "audience": "aud", "productidentifier": "productId", "offerid": "offerIdentifier",
        "promotionalofferid": "offerIdentifier",
        "promotionalofferidentifier": "offerIdentifier", "allowintrooffer": "allowIntroductoryOffer",
        "allowintroductory": "allowIntroductoryOffer", "originaltransactionid": "transactionId",
        "apptransactionid": "transactionId",
    ]

    /// The mistakes.
    private(set) var findings: [Finding] = []
    private let members: [JSONValue.Member]
    private let claims: [Claim]

    init(of value: JSONValue) {
        let members = if case .object(let members) = value { members } else { [JSONValue.Member]() }
        self.members = members
        let given = members.index(named: "aud").map { members[$0].value }
        let looksIntroductory = members.contains { Self.plain($0.name).hasPrefix("allowintro") }
        var audience = looksIntroductory ? JWSClaims.Purpose.introductoryOffers : JWSClaims.Purpose.promotionalOffers
        var wrongAudience: Finding?
        if case .string(let text)? = given, !text.isEmpty {
            if Self.further[text] != nil { audience = text } else { wrongAudience = Self.wrongAudience(text) }
        }
        claims = Self.common + Self.further[audience]!
        if let wrongAudience { findings.append(wrongAudience) }
        let misspelt = reviewNames()
        for claim in claims { review(claim, isMisspelt: misspelt.contains(claim.name)) }
    }

    private static func wrongAudience(_ text: String) -> Finding {
        let what =
            switch text {
            case "appstoreconnect-v1": "this is a token for the App Store Server API or the App Store Connect API"
            case "advanced-commerce-api": "this is a request of the Advanced Commerce API, which this service does not sign"
            default: "aud is \(Finding.quoted(text))"
            }
        return Finding(
            .wrongAudience,
            "\(what); it must be \(JWSClaims.Purpose.promotionalOffers) or \(JWSClaims.Purpose.introductoryOffers)")
    }

    /// Names the claims that do not belong here. Returns the claims that stand here under another name.
    private mutating func reviewNames() -> Set<String> {
        var misspelt: Set<String> = []
        let names = claims.map(\.name)
        let missing = names.filter { members.index(named: $0) == nil }
        for member in members where !names.contains(where: member.isNamed) {
            let name = Finding.quoted(member.name)
            if member.name == "exp" {
                findings.append(Finding(.expiryPresent, "the claim exp makes the App Store refuse the JWS; leave it out"))
            } else if let right = Self.right(name: member.name, among: missing) {
                misspelt.insert(right)
                findings.append(Finding(.claimMisspelt, "the claim \(name) must be called \(right)"))
            } else {
                findings.append(
                    Finding(
                        .claimUnknown,
                        "the claim \(name) does not belong in this JWS; the claims are \(names.joined(separator: ", "))"))
            }
        }
        return misspelt
    }

    private static func plain(_ name: String) -> String { name.lowercased().filter { $0.isLetter || $0.isNumber } }

    private static func right(name: String, among missing: [String]) -> String? {
        let plain = plain(name)
        if let same = missing.first(where: { Self.plain($0) == plain }) { return same }
        if let other = otherNames[plain], missing.contains(other) { return other }
        return NearNames.near(name, among: missing.filter { $0.utf8.count > 3 }).first
    }

    private mutating func review(_ claim: Claim, isMisspelt: Bool) {
        guard let index = members.index(named: claim.name) else {
            if claim.isRequired, !isMisspelt {
                findings.append(Finding(.claimMissing, "the claim \(claim.name) is missing"))
            }
            return
        }
        let wanted: String
        switch (claim.kind, members[index].value) {
        case (.text, .string(let text)) where !text.isEmpty: return
        case (.flag, .bool): return
        case (.integer, .number(let number)) where Int64(number) != nil: return
        case (.text, _): wanted = "a text in quotation marks, and not empty"
        case (.flag, _): wanted = "true or false, without quotation marks"
        case (.integer, _): wanted = "a whole number of seconds, without quotation marks"
        }
        let remedy = claim.isRequired ? "" : "; leave it out if there is none"
        findings.append(Finding(.claimMalformed, "the claim \(claim.name) must be \(wanted)\(remedy)"))
    }
}

extension Finding {
    /// Returns a text from the request, in quotation marks and short enough for a message.
    static func quoted(_ text: String) -> String {
        let scalars = text.unicodeScalars.prefix(64).map { $0.value < 0x20 ? " " : String($0) }
        return "“\(scalars.joined())\(text.unicodeScalars.count > 64 ? "…" : "")”"
    }
}
