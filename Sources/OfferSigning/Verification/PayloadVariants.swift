import FoundationEssentials
import WireText

/// The payloads that may have been signed: the one that consists of the given fields, and those in which usual mistakes are
/// undone.
struct PayloadVariants {
    /// A value that one field may have had when it was signed. The finding names the mistake; it is nil for the given value.
    struct Reading {
        let value: String
        /// Only for a separator: the text that stands after the last field.
        var end = ""
        let finding: Finding?
    }

    let bundles: [Reading]
    let keys: [Reading]
    let separators: [Reading]
    let usernames: [Reading]
    let nonces: [Reading]
    let timestamps: [Reading]

    init(_ presented: PresentedSignature, otherBundleIDs: [String], keyIDs: [String]) {
        bundles =
            [Reading(value: presented.bundleID, finding: nil)]
            + otherBundleIDs.filter { $0 != presented.bundleID }.map {
                Reading(value: $0, finding: Finding(.otherBundle, "it was signed for the app \($0)"))
            }
        keys =
            [Reading(value: presented.keyID, finding: nil)]
            + keyIDs.filter { $0 != presented.keyID }.map {
                Reading(value: $0, finding: Finding(.otherKey, "it was signed with key \($0), not \(presented.keyID)"))
            }
        separators = PayloadVariants.separators
        usernames = PayloadVariants.usernames(presented.applicationUsername)
        nonces = PayloadVariants.nonces(presented.nonce)
        timestamps = PayloadVariants.timestamps(presented.timestamp)
    }

    /// Returns all combinations in which exactly this many fields differ from the given ones.
    func combinations(deviations: Int) -> [[Reading]] {
        let dimensions = [bundles, keys, separators, usernames, nonces, timestamps]
        var partial: [(chosen: [Reading], left: Int)] = [([], deviations)]
        for dimension in dimensions {
            partial = partial.flatMap { combination in
                dimension.compactMap { reading in
                    let left = combination.left - (reading.finding == nil ? 0 : 1)
                    return left >= 0 ? (combination.chosen + [reading], left) : nil
                }
            }
        }
        return partial.filter { $0.left == 0 }.map(\.chosen)
    }

    private static let separators: [Reading] = {
        let wrong = [
            ("\u{2064}", "U+2064 INVISIBLE PLUS"), ("\u{2036}", "U+2036"), ("\u{2062}", "U+2062 INVISIBLE TIMES"),
            ("\u{2061}", "U+2061"), ("\u{2060}", "U+2060 WORD JOINER"), ("\u{200B}", "U+200B ZERO WIDTH SPACE"),
            ("\\u2063", "the six characters \\u2063"), ("\\u{2063}", "the eight characters \\u{2063}"),
            ("&#x2063;", "the characters &#x2063;"), ("&#8291;", "the characters &#8291;"),
            ("%E2%81%A3", "the percent-encoded bytes of U+2063"),
            ("\u{E2}\u{81}\u{A3}", "the three bytes of U+2063 read as Latin-1 and encoded again"),
            ("", "nothing"), (" ", "a space"), (".", "a full stop"), (",", "a comma"), ("|", "a bar"), ("\n", "a line end"),
        ]
        let seventh = Finding(.wrongSeparator, "a seventh U+2063 stands behind the timestamp, where the payload ends")
        return [Reading(value: OfferPayload.separator, finding: nil)]
            + wrong.map { text, name in
                Reading(value: text, finding: Finding(.wrongSeparator, "the fields were joined with \(name), not U+2063"))
            } + [Reading(value: OfferPayload.separator, end: OfferPayload.separator, finding: seventh)]
    }()

    private static func usernames(_ given: String) -> [Reading] {
        var readings = [Reading(value: given, finding: nil)]
        func add(_ value: String, _ code: Finding.Code, _ message: String) {
            let isNew = readings.allSatisfy { !$0.value.utf8.elementsEqual(value.utf8) }
            if isNew { readings.append(Reading(value: value, finding: Finding(code, message))) }
        }
        let spaces = "white space at the ends of applicationUsername differs between signature and purchase"
        add(given.trimmed, .usernameTrimmed, spaces)
        for padded in [given + " ", " " + given, " " + given + " ", given + "\n"] { add(padded, .usernameTrimmed, spaces) }
        let letters = "the case of applicationUsername differs between signature and purchase; the signed one is"
        let lowerCase = "\(letters) \(given.lowercased())"
        add(given.lowercased(), .usernameCase, UUID(text: given) != nil ? lowerCase + Finding.echo : lowerCase)
        add(given.uppercased(), .usernameCase, "\(letters) \(given.uppercased())")
        add("", .usernameMissing, "it was signed with an empty applicationUsername")
        // Programs write these words if a variable is not set.
        for word in ["undefined", "null", "None", "nil", "(null)"] {
            add(
                word, .usernameDiffers,
                "it was signed with the word \(word) as applicationUsername, because the program that signed had none; sign an empty text"
            )
        }
        return readings
    }

    private static func nonces(_ given: String) -> [Reading] {
        let signed = "the nonce is passed as \(given), but it was signed in"
        let others = [(given.lowercased(), "lower case"), (given.uppercased(), "upper case; the App Store wants lower case")]
        return [Reading(value: given, finding: nil)]
            + others.filter { $0.0 != given }.map { text, name in
                Reading(value: text, finding: Finding(.nonceUpperCase, "\(signed) \(name)"))
            }
    }

    private static func timestamps(_ given: Int64) -> [Reading] {
        let (milliseconds, overflow) = given.multipliedReportingOverflow(by: 1000)
        var readings = [Reading(value: String(given), finding: nil)]
        if !overflow {
            let finding = Finding(.timestampInSeconds, "the timestamp is in seconds; it was signed in milliseconds")
            // Cutting ms down to seconds loses three digits, so the signed value is one of a thousand. This is the likeliest one,
            // a whole second.
            readings.append(Reading(value: String(milliseconds), finding: finding))
        }
        let finding = Finding(.timestampInSeconds, "it was signed with the timestamp in seconds; milliseconds are wanted")
        readings.append(Reading(value: String(given / 1000), finding: finding))
        return readings
    }
}
