import FoundationEssentials
import WireText

/// A signature that is kept while it is outstanding, so that it can come again unchanged.
///
/// As secret as an answer that is kept under an idempotency key.
struct KeptSignature: Equatable, Sendable {
    let keyID: String
    let nonce: UUID
    /// Milliseconds since 1970.
    let timestamp: Int64
    let token: SignedOffer.Token

    /// The end of a JSON list that what tells the keeper begins.
    var bytes: [UInt8] {
        JSONWriter.bytes { json in
            json.append(keyID)
            json.append(raw: #",""#)
            json.append(unquoted: nonce)
            json.append(raw: #"","#)
            json.append(timestamp)
            json.append(raw: ",")
            switch token {
            case .payload(let der):
                json.append(raw: #"0,""#)
                json.append(base64: der)
                json.append(raw: #"""#)
            case .jws(let compact):
                json.append(raw: "1,")
                json.append(compact)
            }
            json.append(raw: "]")
        }
    }

    init(keyID: String, timestamp: Int64, _ signed: SignedOffer) {
        self.keyID = keyID
        self.timestamp = timestamp
        nonce = signed.nonce
        token = signed.token
    }

    /// Nil for bytes that are none.
    init?(_ bytes: [UInt8]) {
        let list = try? (Array("[".utf8) + bytes).withUnsafeBufferPointer { try JSONParser.parse($0) }
        guard case .array(let values)? = list, values.count == 5, case .string(let keyID) = values[0],
            case .string(let nonceText) = values[1], let nonce = UUID(text: nonceText),
            case .number(let timestampText) = values[2], let timestamp = Int64(timestampText), case .string(let text) = values[4]
        else { return nil }
        self.keyID = keyID
        self.nonce = nonce
        self.timestamp = timestamp
        if values[3] == .number("1") {
            token = .jws(text)
        } else {
            guard let der = Base64.decode(text.utf8) else { return nil }
            token = .payload(der)
        }
    }

    /// As a result of the request that gets it again.
    var signed: SignedOffer {
        SignedOffer(nonce: nonce, token: token, digest: [], advice: nil, earlier: (keyID, timestamp))
    }
}
