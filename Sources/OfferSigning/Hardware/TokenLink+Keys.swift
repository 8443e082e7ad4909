import CPKCS11Shim

extension TokenLink {
    // The object identifier of the curve prime256v1 in DER, which is the value of a key's attribute CKA_EC_PARAMS.
    private static let p256: [UInt8] = [0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07]
    // The bytes that stand before the point in the SubjectPublicKeyInfo of a P-256 key (RFC 5480).
    private static let beforePoint: [UInt8] =
        [0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01] + p256 + [0x03, 0x42, 0x00]
    private static let pointSize = 65

    /// Returns the public half of a key; nil unless the token shows exactly one such key without a log-in.
    func publicKey(of uri: PKCS11URI) throws(SigningError) -> KeyHandle? {
        try reporting { session throws(CryptokiFailure) in
            try module.find(P11_PUBLIC_KEY, id: uri.id, label: uri.object, in: session)
        }.onlyOne.map { (object) throws(SigningError) in try publicKey(object) }
    }

    /// Returns the public key that has the same id (CKA_ID) in the token as a private key.
    func publicKey(besides handle: UInt) throws(SigningError) -> KeyHandle {
        let found = try reporting { session throws(CryptokiFailure) in
            try module.find(P11_PUBLIC_KEY, id: module.bytes(P11_ID, of: handle, in: session), label: nil, in: session)
        }
        guard let object = found.onlyOne else {
            throw SigningError(
                .notInToken,
                "the token has no public key with the id of the private one; write it there, too, for instance with pkcs11-tool")
        }
        return try publicKey(object)
    }

    /// Returns the handle of the private key. Throws unless the token has exactly one such key, and it is an elliptic-curve key.
    func privateHandle(of uri: PKCS11URI) throws(SigningError) -> UInt {
        let found = try reporting { session throws(CryptokiFailure) in
            try module.find(P11_PRIVATE_KEY, id: uri.id, label: uri.object, in: session)
        }
        guard let handle = found.first else { throw SigningError(.notInToken, "the token has no such private key") }
        guard found.count == 1 else {
            throw SigningError(.notInToken, "the token has several such private keys; give both object and id")
        }
        let type = try reporting { session throws(CryptokiFailure) in
            try module.number(P11_KEY_TYPE, of: handle, in: session)
        }
        guard type == UInt(P11_KEY_TYPE_EC) else {
            throw SigningError(.otherAlgorithm, "the token's key is not an elliptic-curve key; P-256 is needed")
        }
        return handle
    }

    /// Makes a test signature with the private key. Throws unless it verifies with the public key.
    func prove(_ handle: UInt, by publicKey: KeyHandle) throws(SigningError) {
        _ = try reporting { session throws(CryptokiFailure) in
            try module.signature(
                of: Array("OfferSigner self-test of a key in a hardware module".utf8), with: handle, publicKey, in: session)
        }
    }

    private func publicKey(_ object: UInt) throws(SigningError) -> KeyHandle {
        let (curve, octets) = try reporting { session throws(CryptokiFailure) in
            (try module.bytes(P11_EC_PARAMS, of: object, in: session), try module.bytes(P11_EC_POINT, of: object, in: session))
        }
        guard curve == Self.p256 else {
            throw SigningError(.otherCurve, "the token's key is on another curve; P-256 (prime256v1) is needed")
        }
        // The standard requires that the point is wrapped in an OCTET STRING, but some tokens return it bare.
        let isWrapped = octets.count == Self.pointSize + 2 && octets.starts(with: [0x04, UInt8(Self.pointSize)])
        guard let key = KeyHandle(publicDER: Self.beforePoint + (isWrapped ? octets[2...] : octets[...])) else {
            throw SigningError(.damaged, "the token's public key is not a point on P-256")
        }
        return key
    }

    private func reporting<Result>(_ body: (UInt) throws(CryptokiFailure) -> Result) throws(SigningError) -> Result {
        guard let session else { throw SigningError(.moduleUnavailable, "there is no session with the token") }
        do throws(CryptokiFailure) { return try body(session) } catch { throw error.asSigningError }
    }
}

extension CryptokiModule {
    /// Signs SHA-256 of a message. The signature is verified before it is returned.
    func signature(
        of message: [UInt8],
        with key: UInt,
        _ publicKey: KeyHandle,
        in session: UInt
    ) throws(CryptokiFailure) -> Signature {
        let digest = Crypto.sha256(message)
        let raw = try sign(digest, with: key, in: session)
        guard let der = Signature.der(fromRaw: raw), publicKey.isValid(signature: der, of: message) else {
            throw CryptokiFailure(code: UInt(P11_WRONG_SIGNATURE), call: "C_Sign")
        }
        return Signature(der: der, digest: digest)
    }
}

extension [UInt] {
    fileprivate var onlyOne: UInt? { count == 1 ? self[0] : nil }
}

extension Optional {
    fileprivate func map<Result>(_ body: (Wrapped) throws(SigningError) -> Result) throws(SigningError) -> Result? {
        guard let self else { return nil }
        return try body(self)
    }
}
