package import FoundationEssentials

extension UUID {
    /// Passes `body` the 36 characters of the lower-case form in ASCII.
    ///
    /// The characters are valid only while `body` runs.
    package func withLowerCase<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        let (high, low) = withUnsafeBytes(of: uuid) { bytes in
            (
                UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
                UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            )
        }
        return withUnsafeTemporaryAllocation(byteCount: 36, alignment: 1) { characters in
            characters.initializeMemory(as: UInt8.self, repeating: UInt8(ascii: "-"))
            func store(_ digits: UInt64, at position: Int) {
                characters.storeBytes(of: digits.bigEndian, toByteOffset: position, as: UInt64.self)
            }
            func store(half digits: UInt64, at position: Int) {
                characters.storeBytes(of: UInt32(truncatingIfNeeded: digits).bigEndian, toByteOffset: position, as: UInt32.self)
            }
            let (second, third) = (UUID.digits(of: high & 0xffff_ffff), UUID.digits(of: low >> 32))
            store(UUID.digits(of: high >> 32), at: 0)
            store(half: second >> 32, at: 9)
            store(half: second, at: 14)
            store(half: third >> 32, at: 19)
            store(half: third, at: 24)
            store(UUID.digits(of: low & 0xffff_ffff), at: 28)
            return body(UnsafeRawBufferPointer(characters))
        }
    }

    /// Returns the eight hexadecimal digits of a 32-bit number in ASCII, the first one in the highest byte.
    ///
    /// It computes all digits at once instead of one after the other.
    private static func digits(of number: UInt64) -> UInt64 {
        var values = (number | number << 16) & 0x0000_ffff_0000_ffff
        values = (values | values << 8) & 0x00ff_00ff_00ff_00ff
        values = (values | values << 4) & 0x0f0f_0f0f_0f0f_0f0f
        // Each byte whose digit is a letter is 1; the others are 0.
        let letters = (values &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
        return values &+ 0x3030_3030_3030_3030 &+ letters &* 0x27
    }

    /// The lower-case form. In this form the App Store compares nonces and account tokens.
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

    private static func value(_ character: UInt8) -> UInt8? {
        switch character {
        case 0x30...0x39: character - 0x30
        case 0x61...0x66: character - 0x57
        case 0x41...0x46: character - 0x37
        default: nil
        }
    }
}
