package import FoundationEssentials
import WireText

/// A text for Retention Messaging, as it is uploaded.
///
/// Source: https://developer.apple.com/documentation/retentionmessaging/uploadmessagerequestbody
package struct RetentionMessage: Equatable, Sendable {
    /// The picture that is shown with a text. A text that is shown with an offer has no picture.
    package struct Image: Equatable, Sendable {
        let identifier: UUID
        let altText: String

        /// - Parameters:
        ///   - identifier: the id under which the picture was uploaded.
        ///   - altText: a description for people who cannot see the picture.
        package init(identifier: UUID, altText: String) {
            self.identifier = identifier
            self.altText = altText
        }
    }

    /// The longest texts that the App Store accepts, in UTF-16 code units.
    package static let (maxHeader, maxBody, maxAltText) = (66, 144, 150)

    private let header: String
    private let body: String
    private let image: Image?

    /// Throws if the App Store would refuse one of the texts.
    package init(header: String, body: String, image: Image? = nil) throws(RetentionFault) {
        try Self.check("header", header, max: Self.maxHeader)
        try Self.check("body", body, max: Self.maxBody)
        if let image { try Self.check("alternative text", image.altText, max: Self.maxAltText) }
        self.header = header
        self.body = body
        self.image = image
    }

    private static func check(_ name: String, _ text: String, max: Int) throws(RetentionFault) {
        guard !text.isEmpty else { throw RetentionFault("the \(name) is empty") }
        let count = text.utf16.count
        guard count <= max else {
            throw RetentionFault("the \(name) has \(count) characters; the App Store allows \(max)")
        }
    }

    /// The JSON to upload.
    var json: [UInt8] {
        JSONWriter.bytes { json in
            json.append(raw: #"{"header":"#)
            json.append(header)
            json.append(raw: #","body":"#)
            json.append(body)
            if let image {
                json.append(raw: #","image":{"imageIdentifier":""#)
                json.append(unquoted: image.identifier)
                json.append(raw: #"","altText":"#)
                json.append(image.altText)
                json.append(raw: "}")
            }
            json.append(raw: "}")
        }
    }
}
