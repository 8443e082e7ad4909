import OfferService
import WireText

/// A submitted form: `application/x-www-form-urlencoded`, or `multipart/form-data` if it has a file.
struct FormBody {
    /// A file of a form.
    struct File {
        let name: String
        let content: SecretBytes
    }

    /// The fields, in order.
    private(set) var fields: [(name: String, value: String)] = []
    private(set) var files: [String: File] = [:]
    /// Whether the page with the form was made for the session that now submits it.
    ///
    /// It is false if the user has signed in again since the page was made.
    var isOfThisSession = true

    /// Reads a body by its content type.
    ///
    /// A body of any other type has no fields.
    init(_ body: UnsafeRawBufferPointer, contentType: String) {
        let type = contentType.split(separator: ";").map { $0.drop { $0 == " " } }
        switch type.first?.lowercased() {
        case "application/x-www-form-urlencoded": readPairs(body)
        case "multipart/form-data":
            guard let boundary = type.first(where: { $0.hasPrefix("boundary=") })?.dropFirst(9) else { return }
            readParts(body, boundary: Array("\r\n--\(boundary.trimmingQuotes)".utf8))
        default: break
        }
    }

    /// Reads the query of a form that is sent with GET.
    init(query: String) { readPairs(query.utf8) }

    /// The first value of a field; empty if there is none.
    subscript(name: String) -> String { fields.first { $0.name == name }?.value ?? "" }

    /// All values of each field, by the field's name.
    var all: [String: [String]] { Dictionary(grouping: fields, by: \.name).mapValues { $0.map(\.value) } }

    /// Every value of a field.
    func all(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }

    private mutating func readPairs(_ body: some Collection<UInt8>) {
        // Bytes are split instead of characters, which is faster. A client that is not signed in may send a form with tens of
        // thousands of fields.
        for pair in body.split(separator: UInt8(ascii: "&")) {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let texts = parts.map { part in
                PercentEncoding.decoded(part.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }) ?? ""
            }
            // Browsers end the lines of a text with CRLF, which is replaced by a line feed.
            let value = texts.count > 1 ? texts[1] : ""
            fields.append((texts[0], value.utf8.contains(0x0D) ? value.replacing("\r\n", with: "\n") : value))
        }
    }

    private mutating func readParts(_ body: UnsafeRawBufferPointer, boundary: [UInt8]) {
        var rest = body[...]
        if rest.starts(with: boundary.dropFirst(2)) {
            rest = rest.dropFirst(boundary.count - 2)
        } else {
            guard let start = rest.firstRange(of: boundary) else { return }
            rest = rest[start.upperBound...]
        }
        while let end = rest.firstRange(of: boundary), let head = rest.firstRange(of: [0x0D, 0x0A, 0x0D, 0x0A]),
            head.upperBound <= end.lowerBound
        {
            read(String(decoding: rest[..<head.lowerBound], as: UTF8.self), rest[head.upperBound..<end.lowerBound])
            rest = rest[end.upperBound...]
        }
    }

    private mutating func read(_ head: String, _ content: Slice<UnsafeRawBufferPointer>) {
        let line = head.split(whereSeparator: \.isNewline).first { $0.lowercased().hasPrefix("content-disposition:") } ?? ""
        guard let name = Self.parameter("name", of: line) else { return }
        if let file = Self.parameter("filename", of: line) {
            files[name] = File(name: file, content: SecretBytes(copying: UnsafeRawBufferPointer(rebasing: content)))
        } else {
            fields.append((name, String(decoding: content, as: UTF8.self).replacing("\r\n", with: "\n")))
        }
    }

    private static func parameter(_ name: String, of line: Substring) -> String? {
        guard let start = line.firstRange(of: "; \(name)=\"")?.upperBound else { return nil }
        return line[start...].firstIndex(of: "\"").map { String(line[start..<$0]) }
    }
}

extension Substring {
    fileprivate var trimmingQuotes: Substring {
        hasPrefix("\"") && hasSuffix("\"") && count > 1 ? dropFirst().dropLast() : self
    }
}
