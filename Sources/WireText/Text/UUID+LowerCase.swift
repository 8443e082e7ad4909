package import FoundationEssentials

extension UUID {
    /// Passes `body` the 36 characters of the lower-case form in ASCII. They are valid only while `body` runs.
    package func withLowerCase<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        // All digits at once.
        let bytes = unsafeBitCast(uuid, to: SIMD16<UInt8>.self)
        var values = SIMD32<UInt8>()
        values.evenHalf = bytes &>> 4
        values.oddHalf = bytes & 15
        let digits = (values &+ 0x30).replacing(with: values &+ 0x57, where: values .> 9)
        return withUnsafeTemporaryAllocation(byteCount: 36, alignment: 1) { characters in
            characters.initializeMemory(as: UInt8.self, repeating: UInt8(ascii: "-"))
            withUnsafeBytes(of: digits) { digits in
                func copy(_ part: Range<Int>, to position: Int) {
                    (characters.baseAddress! + position).copyMemory(
                        from: digits.baseAddress! + part.lowerBound, byteCount: part.count)
                }
                copy(0..<8, to: 0)
                copy(8..<12, to: 9)
                copy(12..<16, to: 14)
                copy(16..<20, to: 19)
                copy(20..<32, to: 24)
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

    private static func value(_ character: UInt8) -> UInt8? {
        switch character {
        case 0x30...0x39: character - 0x30
        case 0x61...0x66: character - 0x57
        case 0x41...0x46: character - 0x37
        default: nil
        }
    }
}
