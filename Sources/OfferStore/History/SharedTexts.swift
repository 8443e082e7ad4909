import Glibc

/// A cache of the few texts seen last, such as product ids, so that a repeated text is made only once.
struct SharedTexts {
    /// Swift stores a text of up to this many bytes without an allocation.
    private static let inPlaceLength = 15
    private static let capacity = 8

    private var texts: [String] = []
    private var oldest = 0

    /// Returns the text of these bytes.
    mutating func text(_ bytes: UnsafeRawBufferPointer) -> String {
        guard bytes.count > Self.inPlaceLength else { return String(decoding: bytes, as: UTF8.self) }
        for index in texts.indices where Self.isSame(&texts[index], bytes) { return texts[index] }
        let text = String(decoding: bytes, as: UTF8.self)
        if texts.count < Self.capacity {
            texts.append(text)
        } else {
            texts[oldest] = text
            oldest = (oldest + 1) % Self.capacity
        }
        return text
    }

    // Static, because a method would keep the array in use while one of its texts is changed. Swift would then copy the array.
    private static func isSame(_ text: inout String, _ bytes: UnsafeRawBufferPointer) -> Bool {
        text.withUTF8 { $0.count == bytes.count && memcmp($0.baseAddress!, bytes.baseAddress!, bytes.count) == 0 }
    }
}
