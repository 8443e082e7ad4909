/// A picture for Retention Messaging.
///
/// Source: https://developer.apple.com/documentation/retentionmessaging/upload-image
package struct RetentionImage: Equatable, Sendable {
    /// The use of a picture. The raw values are Apple's.
    package enum Size: String, Sendable, CaseIterable {
        /// Above the text: 3840 pixels wide, 160 to 2160 high.
        case full = "FULL_SIZE"
        /// Before a line of a list: 1024 × 1024.
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
