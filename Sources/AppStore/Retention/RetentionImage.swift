/// A picture for Retention Messaging.
///
/// Source: https://developer.apple.com/documentation/retentionmessaging/upload-image
package struct RetentionImage: Equatable, Sendable {
    /// Where the App Store shows a picture. The raw values are Apple's names.
    package enum Size: String, Sendable, CaseIterable {
        /// Above the text. The picture is 3840 pixels wide and 160 to 2160 pixels high.
        case full = "FULL_SIZE"
        /// In front of a line of a list. The picture has 1024 × 1024 pixels.
        case bulletPoint = "BULLET_POINT"
    }

    let png: [UInt8]
    let size: Size

    /// Throws if the App Store would refuse the picture.
    package init(png: [UInt8], size: Size = .full) throws(RetentionFault) {
        guard let head = PNGHead(png) else { throw RetentionFault("this is not a PNG file") }
        guard !head.isTransparent else {
            throw RetentionFault("the picture has an alpha channel or a transparent colour; save it without transparency")
        }
        let fits =
            switch size {
            case .full: head.width == 3840 && (160...2160).contains(head.height)
            case .bulletPoint: head.width == 1024 && head.height == 1024
            }
        guard fits else {
            let wanted = size == .full ? "3840 wide and 160 to 2160 high" : "1024 × 1024"
            throw RetentionFault("the picture has \(head.width) × \(head.height) pixels; the App Store requires \(wanted)")
        }
        self.png = png
        self.size = size
    }
}

/// What the beginning of a PNG file states about the picture (ISO/IEC 15948).
struct PNGHead: Equatable {
    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    private static let alpha: UInt8 = 4

    let width: UInt32
    let height: UInt32
    /// Whether the picture has an alpha channel or a transparent colour.
    let isTransparent: Bool

    /// Returns nil if the bytes are not a PNG file, or end before the picture's data begins.
    init?(_ bytes: [UInt8]) {
        var rest = bytes[...]
        guard rest.starts(with: Self.signature) else { return nil }
        rest = rest.dropFirst(Self.signature.count)
        guard let header = Chunk(&rest), header.name == "IHDR", header.content.count == 13 else { return nil }
        let content = Array(header.content)
        width = UInt32(bigEndian: content[0..<4])
        height = UInt32(bigEndian: content[4..<8])
        var hasTransparentColour = false
        var chunk = Chunk(&rest)
        while let next = chunk, next.name != "IDAT" {
            hasTransparentColour = hasTransparentColour || next.name == "tRNS"
            chunk = Chunk(&rest)
        }
        guard chunk != nil else { return nil }
        isTransparent = hasTransparentColour || content[9] & Self.alpha != 0
    }

    private struct Chunk {
        let name: String
        let content: ArraySlice<UInt8>

        /// Reads the next chunk and removes it from the bytes. Returns nil if the bytes do not contain a whole chunk.
        init?(_ bytes: inout ArraySlice<UInt8>) {
            guard bytes.count >= 12 else { return nil }
            let length = Int(UInt32(bigEndian: bytes.prefix(4)))
            guard length <= bytes.count - 12 else { return nil }
            let start = bytes.startIndex + 8
            name = String(decoding: bytes[(start - 4)..<start], as: UTF8.self)
            content = bytes[start..<(start + length)]
            bytes = bytes.dropFirst(length + 12)
        }
    }
}

extension UInt32 {
    fileprivate init(bigEndian bytes: ArraySlice<UInt8>) {
        self = bytes.reduce(0) { $0 << 8 | UInt32($1) }
    }
}
