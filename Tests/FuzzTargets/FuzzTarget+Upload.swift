import WireText

@testable import OfferHTTP
@testable import OfferService

extension FuzzTarget {
    /// A key that is sent, as JSON and as either kind of form.
    static func readUpload(_ input: UnsafeBufferPointer<UInt8>) {
        let bytes = UnsafeRawBufferPointer(input)
        for type in ["multipart/form-data; boundary=b", "application/x-www-form-urlencoded"] {
            let form = FormBody(bytes, contentType: type)
            precondition(form.files.values.allSatisfy { $0.content.count < bytes.count }, "a file is larger than its form")
        }
        takeSecret(SecretBytes(copying: bytes), as: try? JSONParser.parse(input))
    }

    /// - Parameter value: what the JSON says; nil where it is none.
    private static func takeSecret(_ json: SecretBytes, as value: JSONValue?) {
        let before = json.withBytes(Array.init)
        let taken = SecretText.take("pem", from: json)?.withBytes(Array.init)
        let after = json.withBytes(Array.init)
        precondition(taken != nil || after == before, "what has no secret was changed")
        guard let value else { return }
        switch (value.member("pem"), taken) {
        case (.string(let text), let taken?):
            precondition(taken == Array(text.utf8), "the secret is not what the JSON says")
            guard let rest = try? JSONValue(parsing: after), case .string(let blank) = rest.member("pem") else {
                fatalError("the rest is no JSON")
            }
            precondition(blank.utf8.allSatisfy { $0 == 0x20 }, "a part of the secret is left")
        case (_, nil): break
        case (_, _?): fatalError("something else was taken for the secret")
        }
    }
}
