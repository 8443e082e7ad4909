import WireText

/// The protected header of the signatures that the service makes.
enum JWSHeader {
    /// Returns `{"alg":"ES256","kid":KEY_ID,"typ":"JWT"}` in base64url.
    static func encoded(keyID: String) -> [UInt8] {
        let json = JSONWriter.bytes { json in
            json.append(raw: #"{"alg":"ES256","kid":"#)
            json.append(keyID)
            json.append(raw: #","typ":"JWT"}"#)
        }
        var text: [UInt8] = []
        Base64.appendURLSafe(json, to: &text)
        return text
    }
}
