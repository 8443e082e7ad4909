import Glibc
import WireText

/// The text of a key file that OpenSSL cannot read. This type finds out how the file was damaged after it was downloaded.
///
/// It reads the caller's bytes without copying them, and puts none of them into a message.
struct KeyText {
    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    private let bytes: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// An error that says how the file was damaged and what to do; nil if it was damaged in none of the usual ways.
    var mistake: SigningError? {
        if let wide {
            return SigningError(
                .utf16, "this file is in \(wide); save it as UTF-8: iconv -f \(wide) -t UTF-8 FILE > SubscriptionKey_<KEYID>.p8")
        }
        if let binary { return binary }
        let start = bytes.firstIndex { !$0.isWhiteSpace && ![0xEF, 0xBB, 0xBF].contains($0) } ?? bytes.endIndex
        if has("{\\rtf", at: start) {
            return SigningError(
                .richText, "this is rich text (RTF), as TextEdit saves it; save it as plain text: textutil -convert txt FILE")
        }
        if has("<", at: start) {
            return SigningError(.webPage, "this is a page in HTML or XML, and not the key that it may have linked to")
        }
        if has("LS0tLS1CRUdJTi", at: start) {
            return SigningError(
                .base64OfPEM,
                "this is the Base64 of a PEM file; decode it once: base64 -d FILE > SubscriptionKey_<KEYID>.p8")
        }
        guard let label = label else { return frameless(from: start) }
        guard let end = index(of: "-----END", from: label) else {
            return SigningError(.damaged, "its last line, -----END PRIVATE KEY-----, is missing: the file was cut off")
        }
        return mistake(between: label, and: end)
    }

    /// The position at which the BEGIN line of a PKCS#8 key ends; nil if there is no such line.
    private var label: Int? {
        for text in ["-----BEGIN PRIVATE KEY-----", "-----BEGIN ENCRYPTED PRIVATE KEY-----"] as [StaticString] {
            if let start = index(of: text, from: 0) { return start + text.utf8CodeUnitCount }
        }
        return nil
    }

    private func frameless(from start: Int) -> SigningError? {
        if index(of: "BEGIN%20", from: 0) != nil || index(of: "BEGIN+PRIVATE", from: 0) != nil {
            return SigningError(.damaged, "this file is percent-encoded; decode it once")
        }
        if index(of: "BEGIN PRIVATE KEY", from: 0) != nil {
            return SigningError(
                .frameMissing, "BEGIN PRIVATE KEY stands without five hyphens on either side: a text editor has changed them")
        }
        guard has("MI", at: start), bytes[start...].allSatisfy({ $0.isBase64 || $0.isWhiteSpace }) else { return nil }
        return SigningError(
            .frameMissing, "its first and last line are missing: -----BEGIN PRIVATE KEY----- and -----END PRIVATE KEY-----")
    }

    private func mistake(between label: Int, and end: Int) -> SigningError? {
        let body = bytes[label..<end]
        let lines = lines(of: body)
        guard lines.count > 1 else {
            if body.contains(Self.carriageReturn) {
                return SigningError(
                    .lineBreaks,
                    "its lines end with CR alone; make them end with LF: tr '\\r' '\\n' < FILE > SubscriptionKey_<KEYID>.p8")
            }
            return SigningError(
                .lineBreaks,
                (body.contains(where: \.isWhiteSpace) ? "its line breaks have become spaces" : "its line breaks are lost")
                    + "; \(Self.breaks), and remove spaces")
        }
        if lines[0].last == UInt8(ascii: "\\") {
            return SigningError(.lineBreaks, "its line breaks were escaped twice, as \\\\n; escape them once")
        }
        guard lines[0].allSatisfy(\.isWhiteSpace), lines[lines.count - 1].allSatisfy(\.isWhiteSpace) else {
            return SigningError(.lineBreaks, "some of its line breaks are lost; \(Self.breaks)")
        }
        if lines.dropFirst().contains(where: { $0.first == UInt8(ascii: " ") || $0.first == UInt8(ascii: "\t") }) {
            return SigningError(
                .indented,
                "its lines are indented; remove the white space: sed 's/^[[:blank:]]*//' FILE > SubscriptionKey_<KEYID>.p8")
        }
        let inner = lines.dropFirst().dropLast()
        if inner.contains(where: { $0.first == Self.carriageReturn && $0.last != Self.carriageReturn }) {
            return SigningError(
                .lineBreaks,
                "its lines end with LF CR; make them end with LF: tr -d '\\r' < FILE > SubscriptionKey_<KEYID>.p8")
        }
        if inner.contains(where: { $0.allSatisfy(\.isWhiteSpace) }) {
            return SigningError(.lineBreaks, "there are empty lines between its lines; remove them")
        }
        if inner.contains(where: { $0.split(whereSeparator: \.isWhiteSpace).count > 1 }) {
            return SigningError(
                .damaged, "there are spaces within its lines: each + became a space on the way, as it does in a form")
        }
        guard inner.joined().allSatisfy({ $0.isBase64 || $0.isWhiteSpace }) else {
            return SigningError(.damaged, "there is a character between its first and its last line that no key has")
        }
        return nil
    }

    private static let breaks = "put one after -----BEGIN PRIVATE KEY----- and one before -----END PRIVATE KEY-----"

    /// Splits a part of the text into lines. The two characters `\n` or `\r` also end a line, because environment variables
    /// contain line ends in this form.
    private func lines(of part: Slice<UnsafeRawBufferPointer>) -> [Slice<UnsafeRawBufferPointer>] {
        var lines: [Slice<UnsafeRawBufferPointer>] = []
        var (start, index) = (part.startIndex, part.startIndex)
        while index < part.endIndex {
            let next = index + 1
            let isEscape =
                part[index] == UInt8(ascii: "\\") && next < part.endIndex
                && (part[next] == UInt8(ascii: "n") || part[next] == UInt8(ascii: "r"))
            if part[index] == Self.lineFeed || isEscape {
                lines.append(part[start..<index])
                start = isEscape ? next + 1 : next
            }
            index = isEscape ? next + 1 : next
        }
        return lines + [part[start...]]
    }

    /// The name of the text's encoding if it is UTF-16 or UTF-32; otherwise nil.
    private var wide: String? {
        let hyphen = UInt8(ascii: "-")
        guard bytes.count >= 4 else { return nil }
        switch (bytes[0], bytes[1], bytes[2], bytes[3]) {
        case (0xFF, 0xFE, 0, 0), (0, 0, 0xFE, 0xFF), (0, 0, 0, hyphen), (hyphen, 0, 0, 0): return "UTF-32"
        case (0xFF, 0xFE, _, _), (0xFE, 0xFF, _, _), (0, hyphen, _, _), (hyphen, 0, _, _): return "UTF-16"
        default: return nil
        }
    }

    /// The error for a file that is compressed or in DER; nil if it is neither.
    private var binary: SigningError? {
        guard bytes.count >= 2 else { return nil }
        switch (bytes[0], bytes[1]) {
        case (0x1F, 0x8B):
            return SigningError(
                .notPEM, "this file is compressed; unpack it: gunzip -c < FILE > SubscriptionKey_<KEYID>.p8")
        case (0x30, 0x81...0x82):
            return SigningError(
                .notPEM,
                "this file is in DER; write it as PEM: openssl pkcs8 -topk8 -nocrypt -inform DER -in FILE > SubscriptionKey_<KEYID>.p8"
            )
        default: return nil
        }
    }

    private func has(_ text: StaticString, at start: Int) -> Bool {
        let count = text.utf8CodeUnitCount
        return start + count <= bytes.count && memcmp(bytes.baseAddress! + start, text.utf8Start, count) == 0
    }

    private func index(of text: StaticString, from start: Int) -> Int? {
        (start..<max(start, bytes.count)).first { has(text, at: $0) }
    }
}
