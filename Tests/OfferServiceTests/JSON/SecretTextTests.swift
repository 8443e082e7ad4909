import OfferService
import Testing

@Suite("A secret text of a JSON object")
struct SecretTextTests {
    private func taken(_ json: String) -> (text: String?, rest: String) {
        let body = Array(json.utf8).withUnsafeBytes(SecretBytes.init(copying:))
        let text = SecretText.take("pem", from: body)
        return (text?.withBytes { String(decoding: $0, as: UTF8.self) }, body.withBytes { String(decoding: $0, as: UTF8.self) })
    }

    @Test(
        "It is taken as JSON means it, and spaces stay",
        arguments: [
            (#"{"pem":"abc","keyId":"x"}"#, "abc", #"{"pem":"   ","keyId":"x"}"#),
            (#"{ "keyId": "pem", "pem" : "a\nb" }"#, "a\nb", #"{ "keyId": "pem", "pem" : "    " }"#),
            (#"{"a":{"pem":"no"},"pem":"\u002B\/\"\\"}"#, #"+/"\"#, #"{"a":{"pem":"no"},"pem":"            "}"#),
            (#"{"pem":""}"#, "", #"{"pem":""}"#),
        ])
    func text(json: String, text: String, rest: String) { #expect(taken(json) == (text, rest)) }

    @Test(
        "What is no text, or no JSON, stays as it is",
        arguments: [
            #"{"pem":1}"#, #"{"pem":"a\x"}"#, #"{"pem":"a"#, #"{"pem":"\u00e9"}"#, #"{"pem":"\u+02a"}"#, "{\"pem\":\"a\nb\"}",
            #"["pem"]"#, #"{"pem""#,
            "",
        ])
    func none(json: String) { #expect(taken(json) == (nil, json)) }
}
