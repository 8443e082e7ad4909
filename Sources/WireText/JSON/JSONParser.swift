/// A strict parser of JSON (RFC 8259).
///
/// It checks the UTF-8, requires that each name occurs only once in an object, limits the depth of nesting, and accepts nothing
/// after the JSON text. Foundation's decoder is not used, because it silently drops unknown and repeated names, and because it
/// takes longer than a signature.
package struct JSONParser {
    /// Where and why a text is not JSON.
    package struct Fault: Error, Equatable {
        /// The place of the fault, in bytes from the start.
        package let offset: Int
        package let reason: String

        package init(offset: Int, reason: String) {
            self.offset = offset
            self.reason = reason
        }
    }

    private static let deepest = 32
    /// The most names that one object of a request may have.
    ///
    /// There is a limit because each unknown name may be reported as a fault. A valid request needs far fewer names.
    package static let usualMaxNames = 64
    // In memory, a value takes some ten times the size of its shortest text. To limit the memory, a text may have only 4096
    // values, and one more for each 16 bytes of its length.
    private static let bytesPerValue = 16
    private static let valuesForNothing = 4096
    // In bytes. A longer text is usually a document with thousands of similar objects, in which the same strings occur again and
    // again, so it is worth while to store each of them only once.
    private static let large = 64 * 1024

    private let bytes: UnsafeBufferPointer<UInt8>
    private let maxNames: Int
    private var position = 0
    private var depth = 0
    private var valuesLeft: Int
    private var texts: RepeatedTexts

    private init(_ bytes: UnsafeBufferPointer<UInt8>, _ maxNames: Int) {
        self.bytes = bytes
        self.maxNames = maxNames
        valuesLeft = JSONParser.valuesForNothing + bytes.count / JSONParser.bytesPerValue
        texts = RepeatedTexts(isUsed: bytes.count > JSONParser.large)
    }

    /// Parses the whole buffer as one JSON text.
    ///
    /// - Parameter maxNames: the most names that one object may have, at most 255. A document that the service has written itself
    ///   may have more than a request.
    package static func parse(
        _ bytes: UnsafeBufferPointer<UInt8>,
        maxNames: Int = usualMaxNames
    ) throws(Fault) -> JSONValue {
        var parser = JSONParser(bytes, min(maxNames, NameSet.maxCapacity))
        parser.skipSpace()
        let value = try parser.value()
        parser.skipSpace()
        guard parser.position == bytes.count else { throw parser.fault("text after the end of the JSON") }
        return value
    }

    private func fault(_ reason: String) -> Fault { Fault(offset: position, reason: reason) }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpace() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x0A, 0x0D, 0x09: position += 1
            default: return
            }
        }
    }

    private mutating func value() throws(Fault) -> JSONValue {
        guard let first = next else { throw fault("the JSON ends too early") }
        valuesLeft -= 1
        guard valuesLeft >= 0 else { throw fault("too many values for so short a text") }
        switch first {
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "{"): return try nested { parser throws(Fault) in try parser.object() }
        case UInt8(ascii: "["): return try nested { parser throws(Fault) in try parser.array() }
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
        default: throw fault("a value is expected here")
        }
    }

    private mutating func nested(_ body: (inout JSONParser) throws(Fault) -> JSONValue) throws(Fault) -> JSONValue {
        depth += 1
        guard depth <= JSONParser.deepest else { throw fault("nested deeper than \(JSONParser.deepest) levels") }
        let value = try body(&self)
        depth -= 1
        return value
    }

    private mutating func literal(_ text: StaticString, _ value: JSONValue) throws(Fault) -> JSONValue {
        for index in 0..<text.utf8CodeUnitCount {
            guard next == text.utf8Start[index] else { throw fault("a value is expected here") }
            position += 1
        }
        return value
    }

    private mutating func object() throws(Fault) -> JSONValue {
        position += 1
        var members: [JSONValue.Member] = []
        skipSpace()
        if take(UInt8(ascii: "}")) { return .object(members) }
        var names = NameSet(capacity: maxNames)
        members.reserveCapacity(4)
        repeat {
            skipSpace()
            guard next == UInt8(ascii: "\"") else { throw fault("a name in quotes is expected here") }
            guard members.count < maxNames else {
                throw fault("more than \(maxNames) names in one object")
            }
            let start = position
            let name = try string()
            guard names.insert(name, to: members) else {
                throw Fault(offset: start, reason: "a name appears twice in one object")
            }
            skipSpace()
            guard take(UInt8(ascii: ":")) else { throw fault("':' is expected here") }
            skipSpace()
            members.append(JSONValue.Member(name: name, value: try value()))
            skipSpace()
        } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "}")) else { throw fault("',' or '}' is expected here") }
        return .object(members)
    }

    private mutating func array() throws(Fault) -> JSONValue {
        position += 1
        var elements: [JSONValue] = []
        skipSpace()
        if take(UInt8(ascii: "]")) { return .array(elements) }
        repeat {
            skipSpace()
            elements.append(try value())
            skipSpace()
        } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "]")) else { throw fault("',' or ']' is expected here") }
        return .array(elements)
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    private mutating func number() throws(Fault) -> String {
        let start = position
        _ = take(UInt8(ascii: "-"))
        if !take(UInt8(ascii: "0")) { try digits() }
        if take(UInt8(ascii: ".")) { try digits() }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            position += 1
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { position += 1 }
            try digits()
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func digits() throws(Fault) {
        let start = position
        while let digit = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) { position += 1 }
        guard position > start else { throw fault("a digit is expected here") }
    }

    private mutating func string() throws(Fault) -> String {
        position += 1
        let start = position
        var seen: UInt8 = 0
        while position < bytes.count {
            let byte = bytes[position]
            if byte == UInt8(ascii: "\"") {
                let slice = UnsafeBufferPointer(rebasing: bytes[start..<position])
                position += 1
                // Checking UTF-8 would take as long as all the rest. Nearly all strings are ASCII, which needs no check.
                return seen < 0x80 ? texts.text(slice) : try text(slice, at: start)
            }
            if byte == UInt8(ascii: "\\") { return try escapedString(from: start) }
            if byte < 0x20 { throw fault("a control character must be escaped") }
            seen |= byte
            position += 1
        }
        throw fault("a string is not closed")
    }

    private func text(_ slice: some Collection<UInt8>, at offset: Int) throws(Fault) -> String {
        guard let text = String(validating: slice, as: UTF8.self) else {
            throw Fault(offset: offset, reason: "a string is not UTF-8")
        }
        return text
    }

    /// Reads the rest of a string, from its first backslash on, and returns the whole string.
    private mutating func escapedString(from start: Int) throws(Fault) -> String {
        var unescaped = Array(bytes[start..<position])
        while let byte = next {
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return try text(unescaped, at: start)
            case UInt8(ascii: "\\"): try escape(into: &unescaped)
            case 0..<0x20: throw fault("a control character must be escaped")
            default: unescaped.append(byte)
            }
        }
        throw fault("a string is not closed")
    }

    private mutating func escape(into text: inout [UInt8]) throws(Fault) {
        guard let kind = next else { throw fault("a string is not closed") }
        position += 1
        switch kind {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(kind)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"): UTF8.encode(try scalar()).map { text.append(contentsOf: $0) }
        default: throw fault("an unknown escape")
        }
    }

    private mutating func scalar() throws(Fault) -> Unicode.Scalar {
        let first = try codeUnit()
        if let scalar = Unicode.Scalar(UInt32(first)) { return scalar }
        guard UTF16.isLeadSurrogate(first), take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else {
            throw fault("half of a surrogate pair")
        }
        let second = try codeUnit()
        guard UTF16.isTrailSurrogate(second) else { throw fault("half of a surrogate pair") }
        return Unicode.Scalar(0x10000 + UInt32(first & 0x3FF) << 10 + UInt32(second & 0x3FF))!
    }

    private mutating func codeUnit() throws(Fault) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let digit = next.flatMap(JSONParser.hexadecimal) else {
                throw fault("four hexadecimal digits are expected here")
            }
            unit = unit << 4 | digit
            position += 1
        }
        return unit
    }

    private static func hexadecimal(_ byte: UInt8) -> UInt16? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt16(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt16(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt16(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}
