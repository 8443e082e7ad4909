package import FoundationEssentials

extension UUID {
    /// The 36 characters of the lower-case form, appended as ASCII.
    package func appendLowerCase(to text: inout [UInt8]) {
        withUnsafeBytes(of: uuid) { bytes in
            for (index, byte) in bytes.enumerated() {
                if index == 4 || index == 6 || index == 8 || index == 10 { text.append(UInt8(ascii: "-")) }
                text.append(UUID.digit(byte >> 4))
                text.append(UUID.digit(byte & 15))
            }
        }
    }

    /// The form that the App Store signs and compares.
    package var lowerCaseString: String {
        var text: [UInt8] = []
        text.reserveCapacity(36)
        appendLowerCase(to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Reads the 36-character form in either case; nil for anything else.
    package init?(text: String) {
        guard text.utf8.count == 36 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(16)
        var high: UInt8?
        for (index, character) in text.utf8.enumerated() {
            if index == 8 || index == 13 || index == 18 || index == 23 {
                guard character == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard let value = UUID.value(character) else { return nil }
            if let first = high {
                bytes.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        self = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }

    private static func digit(_ nibble: UInt8) -> UInt8 { nibble < 10 ? 0x30 + nibble : 0x57 + nibble }

    private static func value(_ character: UInt8) -> UInt8? {
        switch character {
        case 0x30...0x39: character - 0x30
        case 0x61...0x66: character - 0x57
        case 0x41...0x46: character - 0x37
        default: nil
        }
    }
}
