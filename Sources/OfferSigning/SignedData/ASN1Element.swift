import COpenSSLShim

/// An element of ASN.1 in DER.
package struct ASN1Element {
    /// The numbers of those universal tags that occur in receipts.
    package enum Tag {
        package static let integer = 2
        package static let octetString = 4
        package static let utf8String = 12
        package static let sequence = 16
        package static let set = 17
        package static let ia5String = 22
    }

    /// The number of the element's universal tag.
    package let tag: Int
    /// The bytes after the header.
    package let content: ArraySlice<UInt8>

    /// Reads the first element of the bytes, and removes it from them. Returns nil if there is none, or if it is cut off or not
    /// in DER.
    package init?(takenFrom bytes: inout ArraySlice<UInt8>) {
        var header = oss_asn1()
        guard bytes.withUnsafeBufferPointer({ oss_asn1_read($0.baseAddress, $0.count, &header) }) == 1 else { return nil }
        tag = Int(header.tag)
        bytes = bytes.dropFirst(header.header_length)
        content = bytes.prefix(header.content_length)
        bytes = bytes.dropFirst(header.content_length)
    }

    /// Reads bytes that consist of exactly one element; nil if they are anything else.
    package init?(_ bytes: ArraySlice<UInt8>) {
        var rest = bytes
        self.init(takenFrom: &rest)
        guard rest.isEmpty else { return nil }
    }

    /// The value of an INTEGER from 0 to 2⁶³ − 1; nil for any other number, and for any other type of element.
    package var integer: Int64? {
        guard tag == Tag.integer, let first = content.first, first < 0x80, content.count <= 8 else { return nil }
        return content.reduce(0) { $0 << 8 | Int64($1) }
    }

    /// The value of a UTF8String or IA5String; nil if it is empty, contains U+0000 or is not UTF-8, and for any other type of
    /// element.
    package var text: String? {
        guard tag == Tag.utf8String || tag == Tag.ia5String, !content.isEmpty, !content.contains(0) else { return nil }
        return String(validating: content, as: UTF8.self)
    }
}
