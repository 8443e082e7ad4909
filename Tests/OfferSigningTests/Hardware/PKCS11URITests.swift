import Testing

@testable import OfferSigning

@Suite("The pkcs11: URI of a key")
struct PKCS11URITests {
    private static let query = "?module-path=/usr/lib/m.so"

    @Test("Token, key, module and PIN file are read, with what is escaped")
    func whole() throws {
        let uri = try PKCS11URI(
            "pkcs11:token=The%20offers;serial=00%3b1;manufacturer=A&B;model=M%C3%BC;object=key(1);id=%00%ffA;type=private"
                + "?module-path=/usr/lib/m.so&pin-source=file:/etc/pin%3Ftoken")
        #expect(uri.token.label == "The offers" && uri.token.serial == "00;1")
        #expect(uri.token.manufacturer == "A&B" && uri.token.model == "Mü")
        #expect(uri.object == "key(1)" && uri.id == [0x00, 0xff, 0x41])
        #expect(uri.modulePath == "/usr/lib/m.so" && uri.pinFile == "/etc/pin?token")
        #expect(uri.place == "token The offers, serial 00;1, object key(1), id 00ff41")
    }

    @Test(
        "A PIN file is a path or a file: URI",
        arguments: ["/etc/pin", "file:/etc/pin", "file:///etc/pin", "FILE:///etc/pin", "%2Fetc/pin"])
    func pinFile(source: String) throws {
        #expect(try PKCS11URI("PKCS11:serial=1;id=%01\(Self.query)&pin-source=\(source)").pinFile == "/etc/pin")
    }

    @Test(
        "What names no key, or what is not known here, is refused with the field and the remedy",
        arguments: [
            ("", "begin with pkcs11:"),
            ("pkcs11", "begin with pkcs11:"),
            ("pkcs12:token=a;object=b\(query)", "begin with pkcs11:"),
            ("pkcs11:", "token or serial is needed"),
            ("pkcs11:object=b\(query)", "token or serial is needed"),
            ("pkcs11:token=a\(query)", "object or id is needed"),
            ("pkcs11:token=a;object=b", "module-path is needed"),
            ("pkcs11:token=a;object=b;\(query)", "an empty attribute is not known"),
            ("pkcs11:token=a;token=a;object=b\(query)", "token appears twice"),
            ("pkcs11:token=;object=b\(query)", "token is empty"),
            ("pkcs11:token;object=b\(query)", "token is empty"),
            ("pkcs11:token=a;object=b;type=cert\(query)", "type must be private"),
            ("pkcs11:token=a;object=b;type=public\(query)", "type must be private"),
            ("pkcs11:token=a;object=b;slot-id=3\(query)", "use token or serial"),
            ("pkcs11:token=a;object=b;x-vendor=3\(query)", "x-vendor is not known here; there are id, manufacturer"),
            ("pkcs11:Token=a;object=b\(query)", "Token is not known here"),
            ("pkcs11:token=a;object=b\(query)&pin-value=1234", "pin-value: a PIN does not belong into a manifest"),
            ("pkcs11:token=a;object=b\(query)&module-name=m", "module-name: use module-path"),
            ("pkcs11:token=a;object=b?module-path=m.so", "module-path must be the path of a file, from / on"),
            ("pkcs11:token=a;object=b\(query)&pin-source=pin", "pin-source must be the path of a file"),
            ("pkcs11:token=a;object=b\(query)&pin-source=%7Ccat", "pin-source must be the path of a file"),
            ("pkcs11:token=a;object=b\(query)&pin-source=file:pin", "pin-source must be the path of a file"),
            ("pkcs11:token=a%;object=b\(query)", "token: after % two hexadecimal digits"),
            ("pkcs11:token=a%4;object=b\(query)", "token: after % two hexadecimal digits"),
            ("pkcs11:token=a%4g;object=b\(query)", "token: after % two hexadecimal digits"),
            ("pkcs11:token=a b;object=b\(query)", "write %20 for a blank"),
            ("pkcs11:token=ü;object=b\(query)", "write %C3 for it"),
            ("pkcs11:token=%C3;object=b\(query)", "token is not UTF-8 text"),
            ("pkcs11:token=a%00;object=b\(query)", "token is not UTF-8 text"),
        ])
    func refused(text: String, complaint: String) {
        let error = #expect(throws: SigningError.self) { try PKCS11URI(text) }
        #expect(error?.code == .uriMalformed)
        #expect(error?.detail.contains(complaint) == true, "\(error?.detail ?? "")")
        #expect(error?.detail.contains("1234") == false)
    }
}
