/// The location of a key in a hardware module: a `pkcs11:` URI (RFC 7512).
public struct PKCS11URI: Hashable, Sendable {
    /// The attributes that identify a token. Nil matches any value. At least one of label and serial number is present.
    struct TokenName: Hashable, Sendable {
        let label: String?
        let serial: String?
        let manufacturer: String?
        let model: String?
    }

    let token: TokenName
    /// The key's label (CKA_LABEL).
    let object: String?
    /// The key's id in the token (CKA_ID), which is not Apple's key id.
    let id: [UInt8]?
    /// The path of the PKCS#11 library.
    let modulePath: String
    /// The file that contains the PIN; nil for a token without PIN.
    let pinFile: String?

    /// Reads a URI. Throws if the URI does not describe a key, or if an attribute is not known here or occurs twice.
    ///
    /// The error names the attribute, and says what to write instead.
    public init(_ text: String) throws(SigningError) {
        let scheme = "pkcs11:"
        guard text.lowercased().hasPrefix(scheme) else { throw Self.fault("it must begin with pkcs11:") }
        let rest = text.dropFirst(scheme.count)
        let mark = rest.firstIndex(of: "?") ?? rest.endIndex
        let path = try Self.attributes(of: rest[..<mark], separatedBy: ";", also: "&", known: Self.pathRemedies)
        let query = try Self.attributes(of: rest[mark...].dropFirst(), separatedBy: "&", also: "/?|", known: Self.queryRemedies)
        token = TokenName(
            label: try Self.text("token", in: path), serial: try Self.text("serial", in: path),
            manufacturer: try Self.text("manufacturer", in: path), model: try Self.text("model", in: path))
        object = try Self.text("object", in: path)
        id = path["id"]
        guard token.label != nil || token.serial != nil else {
            throw Self.fault("token or serial is needed, to tell which token")
        }
        guard object != nil || id != nil else { throw Self.fault("object or id is needed, to tell which key of the token") }
        if let type = try Self.text("type", in: path), type != "private" {
            throw Self.fault("type must be private, or left out: a private key is needed")
        }
        guard let module = try Self.text("module-path", in: query) else {
            throw Self.fault("module-path is needed: the path of the library that speaks PKCS#11, given by the maker")
        }
        modulePath = try Self.absolute(module, "module-path")
        pinFile = try Self.text("pin-source", in: query).map(Self.pinFile)
    }

    /// The token and the key in a few words, for people. The text contains no secrets.
    var place: String {
        let token = [
            token.label.map { "token \($0)" }, token.serial.map { "serial \($0)" }, object.map { "object \($0)" },
            id.map { "id \(Crypto.hexadecimal($0))" },
        ]
        return token.compactMap(\.self).joined(separator: ", ")
    }

    /// The attributes that may occur in the path of a URI, according to RFC 7512.
    ///
    /// An attribute with the value nil is accepted. An attribute with a text is refused, and the text says what to write instead.
    private static let pathRemedies: [String: String?] = [
        "token": nil, "serial": nil, "manufacturer": nil, "model": nil, "object": nil, "id": nil, "type": nil,
        "slot-id": "a slot's number changes; use token or serial",
    ]
    private static let queryRemedies: [String: String?] = [
        "module-path": nil, "pin-source": nil,
        "pin-value": "a PIN does not belong into a manifest; write it into a file of mode 0600 and name that with pin-source",
        "module-name": "use module-path, the whole path of the library",
    ]

    private static func fault(_ detail: String) -> SigningError { SigningError(.uriMalformed, "the pkcs11: URI: \(detail)") }

    private static func attributes(
        of text: Substring,
        separatedBy separator: Character,
        also: String,
        known: [String: String?]
    ) throws(SigningError) -> [String: [UInt8]] {
        var values: [String: [UInt8]] = [:]
        guard !text.isEmpty else { return values }
        for attribute in text.split(separator: separator, omittingEmptySubsequences: false) {
            let mark = attribute.firstIndex(of: "=") ?? attribute.endIndex
            let name = String(attribute[..<mark])
            guard let remedy = known[name] else {
                let names = known.filter { $0.value == nil }.keys.sorted().joined(separator: ", ")
                throw fault("\(name.isEmpty ? "an empty attribute" : name) is not known here; there are \(names)")
            }
            if let remedy { throw fault("\(name): \(remedy)") }
            let value = try decoded(attribute[mark...].dropFirst(), of: name, also: also)
            guard !value.isEmpty else { throw fault("\(name) is empty; give it a value, or leave it out") }
            guard values.updateValue(value, forKey: name) == nil else { throw fault("\(name) appears twice; give it once") }
        }
        return values
    }

    /// - Parameter also: characters that are permitted besides those that are permitted everywhere (RFC 7512, 2.3).
    private static func decoded(_ text: Substring, of name: String, also: String) throws(SigningError) -> [UInt8] {
        let plain = Set("-._~:[]@!$'()*+,=\(also)".utf8)
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%") {
                guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                    throw fault("\(name): after % two hexadecimal digits are needed; a % itself is %25")
                }
                bytes.append(high << 4 | low)
            } else if plain.contains(byte) || isLetterOrDigit(byte) {
                bytes.append(byte)
            } else {
                let escape = "%" + Crypto.hexadecimal([byte]).uppercased()
                throw fault("\(name): a character must be escaped: write \(escape) for \(byte == 32 ? "a blank" : "it")")
            }
        }
        return bytes
    }

    private static func digit(_ byte: UInt8) -> UInt8? { Character(Unicode.Scalar(byte)).hexDigitValue.map(UInt8.init) }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }

    private static func text(_ name: String, in values: [String: [UInt8]]) throws(SigningError) -> String? {
        guard let bytes = values[name] else { return nil }
        guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
            throw fault("\(name) is not UTF-8 text")
        }
        return text
    }

    private static func pinFile(_ source: String) throws(SigningError) -> String {
        guard source.lowercased().hasPrefix("file:") else { return try absolute(source, "pin-source") }
        let path = source.dropFirst("file:".count)
        return try absolute(String(path.hasPrefix("//") ? path.dropFirst(2) : path), "pin-source")
    }

    private static func absolute(_ path: String, _ name: String) throws(SigningError) -> String {
        guard path.hasPrefix("/") else { throw fault("\(name) must be the path of a file, from / on") }
        return path
    }
}
