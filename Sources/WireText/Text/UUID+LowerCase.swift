package import FoundationEssentials

extension UUID {
    /// Passes `body` the 36 characters of the lower-case form in ASCII. They are valid only while `body` runs.
    package func withLowerCase<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        withUnsafeTemporaryAllocation(byteCount: 36, alignment: 1) { characters in
            withUnsafeBytes(of: uuid) { bytes in
                var position = 0
                for index in 0..<16 {
                    if index == 4 || index == 6 || index == 8 || index == 10 {
                        characters[position] = UInt8(ascii: "-")
                        position += 1
                    }
                    characters[position] = UUID.digit(bytes[index] >> 4)
                    characters[position + 1] = UUID.digit(bytes[index] & 15)
                    position += 2
                }
            }
            return body(UnsafeRawBufferPointer(characters))
        }
    }

    /// The lower-case form, in which the App Store signs and compares a nonce or an account token.
    package var lowerCaseString: String {
        withLowerCase { String(decoding: $0, as: UTF8.self) }
    }

    /// Reads the 36-character form in either case; nil for anything else.
    package init?(text: String) {
        guard text.utf8.count == 36 else { return nil }
        var copy = text
        let uuid = copy.withUTF8 { characters -> uuid_t? in
            var uuid = uuid_t(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
            let isRead = withUnsafeMutableBytes(of: &uuid) { bytes in
                var position = 0
                for index in 0..<16 {
                    if index == 4 || index == 6 || index == 8 || index == 10 {
                        guard characters[position] == UInt8(ascii: "-") else { return false }
                        position += 1
                    }
                    guard let high = UUID.value(characters[position]), let low = UUID.value(characters[position + 1])
                    else { return false }
                    bytes[index] = high << 4 | low
                    position += 2
                }
                return true
            }
            return isRead ? uuid : nil
        }
        guard let uuid else { return nil }
        self.init(uuid: uuid)
    }

    // Without a branch, which the processor would mispredict for random digits.
    private static func digit(_ nibble: UInt8) -> UInt8 { 0x30 &+ nibble &+ ((nibble &+ 6) >> 4) &* 39 }

    private static func value(_ character: UInt8) -> UInt8? {
        switch character {
        case 0x30...0x39: character - 0x30
        case 0x61...0x66: character - 0x57
        case 0x41...0x46: character - 0x37
        default: nil
        }
    }
}
