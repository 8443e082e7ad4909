import Glibc

/// A second of the calendar in UTC, as text.
package enum CalendarText {
    /// - Parameters:
    ///   - second: since 1970.
    ///   - format: a format of `strftime`, whose result has fewer than 64 bytes.
    package static func bytes(second: Int64, format: String) -> [UInt8] {
        var second = time_t(second)
        var parts = tm()
        gmtime_r(&second, &parts)
        return [UInt8](unsafeUninitializedCapacity: 64) { bytes, count in
            count = bytes.withMemoryRebound(to: CChar.self) { strftime($0.baseAddress!, $0.count, format, &parts) }
        }
    }
}
