/// An app version: up to four numbers and a pre-release, ordered by Semantic Versioning 2.0.0.
///
/// Missing numbers are 0, so that `2.1` is `2.1.0`. Anything after a `+` is ignored.
public struct SemanticVersion: Hashable, Comparable, Sendable {
    private let numbers: SIMD4<UInt64>
    /// The identifiers after the hyphen; nil for a release.
    private let prerelease: String?

    /// Reads a version; nil if the text is none.
    public init?(_ text: String) {
        var numbers = SIMD4<UInt64>()
        var (index, digits, length) = (0, 0, 0)
        for byte in text.utf8 {
            if byte == 0x2D || byte == 0x2B { break }
            length += 1
            if byte == 0x2E {
                guard digits > 0, index < 3 else { return nil }
                (index, digits) = (index + 1, 0)
            } else {
                guard (0x30...0x39).contains(byte), digits < 18 else { return nil }
                numbers[index] = numbers[index] &* 10 &+ UInt64(byte &- 0x30)
                digits += 1
            }
        }
        guard digits > 0 else { return nil }
        self.numbers = numbers
        guard length < text.utf8.count else {
            prerelease = nil
            return
        }
        let bytes = text.utf8.dropFirst(length)
        let build = bytes.firstIndex(of: 0x2B) ?? bytes.endIndex
        let prerelease = bytes[..<build].dropFirst()
        if bytes[..<build].isEmpty {
            self.prerelease = nil
        } else {
            guard SemanticVersion.identifiers(prerelease).allSatisfy({ !$0.isEmpty && $0.allSatisfy(SemanticVersion.isAllowed) })
            else { return nil }
            self.prerelease = String(Substring(prerelease))
        }
    }

    /// Orders earlier versions first.
    public static func < (left: SemanticVersion, right: SemanticVersion) -> Bool {
        for index in 0..<4 where left.numbers[index] != right.numbers[index] { return left.numbers[index] < right.numbers[index] }
        guard let first = left.prerelease, let second = right.prerelease else {
            return left.prerelease != nil && right.prerelease == nil
        }
        let (mine, others) = (identifiers(first.utf8[...]), identifiers(second.utf8[...]))
        for (mine, other) in zip(mine, others) where !mine.elementsEqual(other) { return precedes(mine, other) }
        return mine.count < others.count
    }

    private static func identifiers(_ bytes: Substring.UTF8View) -> [Substring.UTF8View] {
        bytes.split(separator: 0x2E, omittingEmptySubsequences: false)
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D: true
        default: false
        }
    }

    /// Orders two identifiers of a pre-release: numbers by value, words by their bytes, and numbers before words.
    private static func precedes(_ left: Substring.UTF8View, _ right: Substring.UTF8View) -> Bool {
        let isNumber = { (bytes: Substring.UTF8View) in bytes.allSatisfy { (0x30...0x39).contains($0) } }
        switch (isNumber(left), isNumber(right)) {
        case (true, false): return true
        case (false, true): return false
        case (false, false): return left.lexicographicallyPrecedes(right)
        case (true, true):
            let (mine, other) = (left.drop { $0 == 0x30 }, right.drop { $0 == 0x30 })
            return mine.count != other.count ? mine.count < other.count : mine.lexicographicallyPrecedes(other)
        }
    }
}
