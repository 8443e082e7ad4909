import Glibc
import Synchronization

/// The `Date` header's text, made once a second.
enum HTTPDate {
    private struct Text {
        var second = -1
        var value = ""
    }

    private static let current = Mutex(Text())

    /// The present as RFC 9110 wants it: `Sun, 06 Nov 1994 08:49:37 GMT`.
    static func now() -> String {
        var second = time(nil)
        return current.withLock { text in
            if text.second != second {
                var parts = tm()
                gmtime_r(&second, &parts)
                var characters = [CChar](repeating: 0, count: 40)
                let length = strftime(&characters, characters.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
                text = Text(second: second, value: String(decoding: characters[..<length].map(UInt8.init), as: UTF8.self))
            }
            return text.value
        }
    }
}
