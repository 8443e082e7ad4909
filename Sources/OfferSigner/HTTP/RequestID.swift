import Synchronization

/// Names one request in logs, errors and the ledger.
enum RequestID {
    // SplitMix64 (Steele, Lea, Flood 2014) from a random start: asking the kernel for each costs as much as parsing a request.
    private static let step: UInt64 = 0x9E37_79B9_7F4A_7C15
    private static let state = Atomic<UInt64>(.random(in: .min ... .max))

    /// A new id of 16 hexadecimal digits; unique, not secret.
    static func make() -> String {
        var number = mixed(state.wrappingAdd(step, ordering: .relaxed).newValue)
        return String(unsafeUninitializedCapacity: 16) { text in
            for index in 0..<16 {
                let nibble = UInt8(truncatingIfNeeded: number & 15)
                text[index] = nibble < 10 ? 0x30 + nibble : 0x57 + nibble
                number >>= 4
            }
            return 16
        }
    }

    // One to one, so that no number comes twice before all have come.
    private static func mixed(_ number: UInt64) -> UInt64 {
        let once = (number ^ number >> 30) &* 0xBF58_476D_1CE4_E5B9
        let twice = (once ^ once >> 27) &* 0x94D0_49BB_1331_11EB
        return twice ^ twice >> 31
    }

    /// A caller's own id, if it is 1 to 128 visible ASCII characters.
    static func accepted(_ text: String) -> String? {
        (1...128).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) } ? text : nil
    }
}
