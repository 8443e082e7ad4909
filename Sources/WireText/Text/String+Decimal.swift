extension String {
    /// A number in decimal. The library's own conversion is generic and takes several times as long.
    package init(decimal number: UInt64) {
        self = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            var rest = number
            var start = digits.count
            repeat {
                start -= 1
                digits[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            } while rest > 0
            return String(decoding: digits[start...], as: UTF8.self)
        }
    }
}
