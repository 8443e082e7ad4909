import WireText

/// The keys that verify an issuer's tokens, read from a JSON Web Key Set (RFC 7517).
package struct TokenKeySet: Sendable {
    /// The longest document that is accepted, in bytes.
    package static let maxSize = 256 << 10
    private static let maxKeys = 100

    /// The keys that can be used.
    package let keys: [TokenKey]
    /// Why the other keys cannot be used. There is one text for each, which begins with its number and its `kid`.
    package let faults: [String]

    /// Parses a document. Keys that cannot be used are left out, as RFC 7517 recommends.
    ///
    /// - Parameter algorithms: the accepted algorithms. A key of another algorithm is one of the faults.
    package init(json: [UInt8], algorithms: Set<TokenAlgorithm>) throws(TokenError) {
        guard json.count <= Self.maxSize else {
            throw TokenError(.malformedKeySet, "the set of keys has more than \(Self.maxSize) bytes")
        }
        let document: JSONValue
        do { document = try JSONValue(parsing: json) } catch {
            throw TokenError(.malformedKeySet, "the set of keys is not JSON, at byte \(error.offset): \(error.reason)")
        }
        guard case .array(let elements)? = document.member("keys") else {
            throw TokenError(.malformedKeySet, "the document is not a set of keys: it has no list \"keys\"")
        }
        guard elements.count <= Self.maxKeys else {
            throw TokenError(.malformedKeySet, "the set has more than \(Self.maxKeys) keys")
        }
        var keys: [TokenKey] = []
        var faults: [String] = []
        for (index, element) in elements.enumerated() {
            do {
                let key = try TokenKey(element)
                if algorithms.contains(key.algorithm) {
                    keys.append(key)
                } else {
                    faults.append(
                        "\(Self.name(element, index)) is for \(key.algorithm.rawValue), which is not among the algorithms")
                }
            } catch {
                faults.append("\(Self.name(element, index)) \(error.reason)")
            }
        }
        self.keys = keys
        self.faults = faults
    }

    /// Returns the keys that may have signed a token, which are those with the token's `kid`.
    ///
    /// If the token has no `kid`, the only candidate is the key of the token's algorithm, provided that there is exactly one.
    package func candidates(for token: PresentedToken) -> [TokenKey] {
        if let id = token.keyID { return keys.filter { $0.id == id } }
        let fitting = keys.filter { $0.algorithm == token.algorithm }
        return fitting.count == 1 ? fitting : []
    }

    private static func name(_ element: JSONValue, _ index: Int) -> String {
        guard case .string(let id)? = element.member("kid") else { return "key \(index + 1)" }
        return
            "key \(index + 1) (\(id.unicodeScalars.prefix(64).map { $0.isASCII && $0.value >= 0x20 ? String($0) : "?" }.joined()))"
    }
}
