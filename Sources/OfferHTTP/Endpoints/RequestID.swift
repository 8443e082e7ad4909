import OfferService

/// Makes and checks the ids by which logs, errors and the ledger name a request.
package enum RequestID {
    // Random bytes come from a pool, because asking the kernel for each id costs as much as parsing a request.
    private static let pool = RandomPool()

    /// Returns a new id of 16 hexadecimal digits.
    ///
    /// Ids are random, so that they are unique and reveal nothing about other requests or their number.
    package static func make() -> String {
        let bytes = try? pool.take(8)
        var number = bytes.map { $0.reduce(0) { $0 << 8 | UInt64($1) } } ?? .random(in: .min ... .max)
        return String(unsafeUninitializedCapacity: 16) { text in
            for index in 0..<16 {
                let nibble = UInt8(truncatingIfNeeded: number & 15)
                text[index] = nibble < 10 ? 0x30 + nibble : 0x57 + nibble
                number >>= 4
            }
            return 16
        }
    }

    /// Returns the id that a caller has chosen, if it is 1 to 128 visible ASCII characters; otherwise nil.
    static func accepted(_ text: String) -> String? {
        (1...128).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) } ? text : nil
    }
}
