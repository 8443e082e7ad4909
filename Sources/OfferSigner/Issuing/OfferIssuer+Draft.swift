import EligibilityRules
import FoundationEssentials
import OfferSigning
import OfferStore

extension OfferIssuer {
    /// Signatures that exist but have not been recorded: they must not leave yet.
    struct Draft {
        let app: App
        let now: Instant
        let results: [OfferResult]
        let entries: [LedgerEntry]
    }

    /// Everything up to the signatures. Throws before the first one if anything is wrong with the request as a whole.
    func prepare(_ request: SignatureRequest, for caller: Caller, requestID: String) throws -> Draft {
        let app = try apps.app(named: request.bundleID, for: caller)
        for item in request.items { try checkCatalogue(item, of: app) }
        guard let key = keys.current.active(for: app.bundleID) else {
            throw IssueError.notReady("the app \(app.bundleID) has no active key")
        }
        let now = try clock.now()
        for nonce in request.items.compactMap(\.nonce) { try checkOrigin(of: nonce, app: app, caller: caller, now: now) }

        var results: [OfferResult] = []
        var entries: [LedgerEntry] = []
        results.reserveCapacity(request.items.count)
        entries.reserveCapacity(request.items.count)
        for item in request.items {
            if case .refuse(let code, let reason) = decide(item) {
                let refused = RefusedOffer(item: item, code: code, reason: reason)
                results.append(.refused(refused))
                observer.didRefuse(
                    RefusalRecord(offer: refused, bundleID: app.bundleID, caller: caller.id, requestID: requestID))
                continue
            }
            let nonce = try item.nonce ?? nonces.issue(app: app, caller: caller, now: now).nonce
            let (signed, digest) = try sign(item, of: request, app: app, key: key, nonce: nonce, now: now)
            results.append(.signed(signed))
            entries.append(
                LedgerEntry(signed, digest: digest, of: request, app: app, caller: caller, requestID: requestID))
        }
        return Draft(app: app, now: now, results: results, entries: entries)
    }

    private func checkCatalogue(_ item: SignatureRequest.Item, of app: App) throws(IssueError) {
        guard let product = app.catalogue.product(item.productID) else { throw .unknownProduct(item.productID) }
        if case .promotionalOffer(let offerID) = item.purpose,
            product.promotionalOffers[ExactText(offerID)] == nil
        {
            throw .unknownOffer(productID: item.productID, offerID: offerID)
        }
    }

    private func checkOrigin(of nonce: UUID, app: App, caller: Caller, now: Instant) throws(IssueError) {
        switch nonces.check(nonce, app: app, caller: caller, now: now) {
        case .genuine: return
        case .expired: throw .nonceExpired(nonce)
        case .notIssued: throw .nonceNotIssued(nonce)
        }
    }

    private func sign(
        _ item: SignatureRequest.Item,
        of request: SignatureRequest,
        app: App,
        key: SigningKey,
        nonce: UUID,
        now: Instant
    ) throws -> (SignedOffer, digest: [UInt8]) {
        let token: SignedOffer.Token
        let digest: [UInt8]
        if request.form == .payload, case .promotionalOffer(let offerID) = item.purpose {
            let payload = try OfferPayload(
                bundleID: app.bundleID,
                keyID: key.id,
                productID: item.productID,
                offerID: offerID,
                applicationUsername: request.applicationUsername,
                nonce: nonce,
                timestamp: now.milliseconds
            )
            let signature = try key.sign(payload.bytes)
            (token, digest) = (.payload(signature.der), signature.digest)
        } else {
            let claims = try claims(for: item, of: request, app: app, nonce: nonce, now: now)
            let signed = try key.sign(claims)
            (token, digest) = (.jws(signed.compactJWS), signed.digest)
        }
        let offer = SignedOffer(
            item: item,
            keyID: key.id,
            nonce: nonce,
            timestamp: now.milliseconds,
            applicationUsername: request.applicationUsername,
            token: token
        )
        return (offer, digest)
    }

    private func claims(
        for item: SignatureRequest.Item,
        of request: SignatureRequest,
        app: App,
        nonce: UUID,
        now: Instant
    ) throws(IssueError) -> JWSClaims {
        guard let issuerID = app.issuerID else { throw .issuerIDMissing(app.bundleID) }
        let purpose: JWSClaims.Purpose =
            switch item.purpose {
            case .promotionalOffer(let offerID):
                .promotionalOffer(productID: item.productID, offerID: offerID, transactionID: request.transactionID)
            case .introductoryOffer(let transactionID, let allowed):
                .introductoryOfferEligibility(
                    productID: item.productID, allowed: allowed ?? false, transactionID: transactionID)
            }
        return JWSClaims(
            purpose: purpose, issuerID: issuerID, bundleID: app.bundleID, nonce: nonce, timestamp: now.milliseconds)
    }
}

extension RefusedOffer {
    init(item: SignatureRequest.Item, code: String, reason: String) {
        self.init(productID: item.productID, offerID: item.purpose.offerID, code: code, reason: reason)
    }
}

extension SignatureRequest.Purpose {
    /// The promotional offer's id; nil for an introductory offer.
    var offerID: String? {
        if case .promotionalOffer(let offerID) = self { offerID } else { nil }
    }
}

extension LedgerEntry {
    init(
        _ signed: SignedOffer,
        digest: [UInt8],
        of request: SignatureRequest,
        app: App,
        caller: Caller,
        requestID: String
    ) {
        let isPayload = if case .payload = signed.token { true } else { false }
        var transactionID = request.transactionID
        var form = isPayload ? Form.payload : .promotionalJWS
        if case .introductoryOffer(let id, _) = signed.item.purpose { (transactionID, form) = (id, .introductoryJWS) }
        self.init(
            nonce: signed.nonce,
            signedAt: Instant(milliseconds: signed.timestamp),
            bundleID: app.bundleID,
            keyID: signed.keyID,
            productID: signed.item.productID,
            offerID: signed.item.purpose.offerID ?? "",
            form: form,
            caller: caller.id,
            customerID: request.customerID,
            applicationUsername: isPayload ? signed.applicationUsername : nil,
            transactionID: transactionID,
            requestID: requestID,
            digest: digest
        )
    }
}
