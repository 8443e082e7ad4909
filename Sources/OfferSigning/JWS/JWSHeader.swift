/// The protected header of our signatures.
enum JWSHeader {
    /// `{"alg":"ES256","kid":KEY_ID,"typ":"JWT"}` in base64url.
    static func encoded(keyID: String) -> [UInt8] {
        var json: [UInt8] = []
        JSONText.append(raw: #"{"alg":"ES256","kid":"#, to: &json)
        JSONText.append(keyID, to: &json)
        JSONText.append(raw: #","typ":"JWT"}"#, to: &json)
        var text: [UInt8] = []
        Base64.appendURLSafe(json, to: &text)
        return text
    }
}
