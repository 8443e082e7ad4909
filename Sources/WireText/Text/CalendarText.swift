import Glibc

/// Writes dates and times in UTC.
package enum CalendarText {
    /// Returns the date or time as text.
    ///
    /// - Parameters:
    ///   - second: the time in seconds since 1970.
    ///   - format: a format of `strftime`, whose result must have fewer than 64 bytes.
    package static func bytes(second: Int64, format: String) -> [UInt8] {
        var second = time_t(second)
        var parts = tm()
        gmtime_r(&second, &parts)
        return [UInt8](unsafeUninitializedCapacity: 64) { bytes, count in
            count = bytes.withMemoryRebound(to: CChar.self) { strftime($0.baseAddress!, $0.count, format, &parts) }
        }
    }
}
