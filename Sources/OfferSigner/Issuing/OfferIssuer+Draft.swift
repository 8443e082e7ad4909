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
    ///
    /// - Parameter histories: those that `historyQueries` asked for.
    func prepare(
        _ request: SignatureRequest,
        of app: App,
        histories: [FoundHistory],
        for caller: Caller,
        requestID: String
    ) throws -> Draft {
        guard let key = keys.current.active(for: app.bundleID) else {
            throw IssueError.notReady("the app \(app.bundleID) has no active key")
        }
        let now = try clock.now()
        for nonce in request.items.compactMap(\.nonce) { try checkOrigin(of: nonce, app: app, caller: caller, now: now) }

        var results: [OfferResult] = []
        var entries: [LedgerEntry] = []
        results.reserveCapacity(request.items.count)
        entries.reserveCapacity(request.items.count)
        var newNonces = try nonces.series(app: app, caller: caller, now: now)
        var decisions = OfferDecisions(request: request, app: app, histories: histories, now: now)
        for item in request.items {
            let decision = decisions.decision(on: item)
            if case .refuse(let verdict) = decision {
                let refused = RefusedOffer(
                    productID: item.productID, offerID: item.purpose.offerID, verdict: verdict)
                results.append(.refused(refused))
                observer.didRefuse(
                    RefusalRecord(offer: refused, bundleID: app.bundleID, caller: caller.id, requestID: requestID))
                continue
            }
            if let advice = decision.advice, advice.status != .eligible {
                observer.didSign(against: advice, bundleID: app.bundleID)
            }
            let nonce = try item.nonce ?? newNonces.next()
            let (signed, digest) = try sign(
                item, as: decision, of: request, app: app, key: key, nonce: nonce, now: now)
            results.append(.signed(signed))
            entries.append(
                LedgerEntry(signed, digest: digest, of: request, app: app, caller: caller, requestID: requestID))
        }
        return Draft(app: app, now: now, results: results, entries: entries)
    }

    /// The app of a request whose products and offers the catalogue has.
    func app(of request: SignatureRequest, for caller: Caller) throws(IssueError) -> App {
        let app = try apps.app(named: request.bundleID, for: caller)
        for item in request.items { try checkCatalogue(item, of: app) }
        return app
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
        as decision: OfferDecision,
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
            let claims = try claims(for: item, as: decision, of: request, app: app, nonce: nonce, now: now)
            let signed = try key.sign(claims)
            (token, digest) = (.jws(signed.compactJWS), signed.digest)
        }
        let offer = SignedOffer(
            item: item,
            keyID: key.id,
            nonce: nonce,
            timestamp: now.milliseconds,
            applicationUsername: request.applicationUsername,
            token: token,
            advice: decision.advice
        )
        return (offer, digest)
    }

    private func claims(
        for item: SignatureRequest.Item,
        as decision: OfferDecision,
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
            case .introductoryOffer(let transactionID, _):
                .introductoryOfferEligibility(
                    productID: item.productID, allowed: decision == .signOverride(allowed: true),
                    transactionID: transactionID)
            }
        return JWSClaims(
            purpose: purpose, issuerID: issuerID, bundleID: app.bundleID, nonce: nonce, timestamp: now.milliseconds)
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
