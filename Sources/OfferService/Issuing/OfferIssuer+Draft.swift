import EligibilityRules
import FoundationEssentials
import OfferSigning
import OfferStore

extension OfferIssuer {
    /// Signatures that exist but have not been recorded: they must not leave yet.
    struct Draft {
        let now: Instant
        let issued: IssuedOffers
        /// Nil where nothing was signed.
        let entry: LedgerEntry?
        /// Nil where nothing was refused.
        let refusals: LedgerRefusals?
        let reservations: [Reservation]
        let report: IssueReport
    }

    /// Everything up to the signatures. Throws before the first one if anything is wrong with the request as a whole.
    ///
    /// - Parameters:
    ///   - histories: those that `findHistories` found.
    ///   - usedUp: limits that have none left.
    func prepare(
        _ request: SignatureRequest,
        of app: App,
        histories: [FoundHistory],
        for caller: Caller,
        requestID: String,
        usedUp: Set<String> = []
    ) throws -> Draft {
        guard let key = keys.current.active(for: app.bundleID) else {
            throw IssueError.notReady("the app \(app.bundleID) has no active key", of: .keys)
        }
        let now = try clock.stamp()
        for nonce in request.items.compactMap(\.nonce) { try checkOrigin(of: nonce, app: app, caller: caller, now: now) }

        var issued = IssuedOffers(
            keyID: key.id, timestamp: now.milliseconds, applicationUsername: request.applicationUsername)
        issued.results.reserveCapacity(request.items.count)
        var signatures: [LedgerSignature] = []
        signatures.reserveCapacity(request.items.count)
        var newNonces = try nonces.series(app: app, caller: caller, now: now)
        var report = IssueReport(bundleID: app.bundleID)
        var reservations: [Reservation] = []
        var decisions = OfferDecisions(request: request, app: app, histories: histories, now: now, lapsed: lapsed)
        for item in request.items {
            var decision = decisions.decision(on: item)
            if let limits, decision.unsigned == nil {
                let wanted = limits.reservations(for: item, of: request, at: now)
                if let limit = wanted.first(where: { usedUp.contains($0.limit) })?.limit {
                    decision = .refuse(limits.verdict(onUsedUp: limit))
                } else {
                    reservations += wanted
                }
            }
            if let verdict = decision.unsigned {
                let record = RefusalRecord(
                    productID: item.productID, offerID: item.purpose.offerID ?? "", verdict: verdict, bundleID: app.bundleID,
                    caller: caller.id, requestID: requestID)
                let isRefused = decision == .refuse(verdict)
                issued.results.append(
                    OfferResult(
                        productID: item.productID, purpose: item.purpose,
                        outcome: isRefused ? .refused(verdict) : .notNeeded(verdict)))
                if isRefused { report.refusals.append(record) } else { report.unneeded.append(record) }
                continue
            }
            if let advice = decision.advice, advice.status != .eligible { report.contradicted.append(advice) }
            let nonce = try item.nonce ?? newNonces.next()
            let signed = try sign(item, as: decision, of: request, app: app, key: key, nonce: nonce, now: now)
            issued.results.append(
                OfferResult(productID: item.productID, purpose: item.purpose, outcome: .signed(signed)))
            signatures.append(LedgerSignature(signed, of: item))
        }
        let entry =
            signatures.isEmpty
            ? nil
            : LedgerEntry(
                signatures, of: request, app: app, keyID: key.id, now: now, caller: caller, requestID: requestID)
        let refusals =
            report.refusals.isEmpty ? nil : LedgerRefusals(report.refusals, of: request, app: app, now: now, caller: caller)
        return Draft(
            now: now, issued: issued, entry: entry, refusals: refusals, reservations: reservations, report: report)
    }

    /// Fails unless the app has what the request is about: products, offers, and an issuer id for JWS.
    func check(_ request: SignatureRequest, of app: App, for caller: Caller) throws {
        try checkGrants(of: request, for: caller) { app }
        for item in request.items { try checkCatalogue(item, of: app) }
        // Told to everybody, not to the first customer only who is eligible.
        if request.form == .jws, app.issuerID == nil { throw AppError.issuerIDMissing(app.bundleID) }
    }

    /// Fails if the request grants an introductory offer and the caller may not: as a whole, whatever else it asks for.
    ///
    /// - Parameter app: that of the request; asked for only where it matters.
    package func checkGrants(of request: SignatureRequest, for caller: Caller, app: () throws -> App) throws {
        guard request.items.contains(where: \.purpose.isGrant), !caller.role.may(.override) else { return }
        guard try app().introductoryOverrides == .client, caller.role == .client else {
            throw IssueError.overrideNotAllowed(caller.role)
        }
    }

    private func checkCatalogue(_ item: SignatureRequest.Item, of app: App) throws {
        guard let product = app.catalogue.product(item.productID) else { throw AppError.unknownProduct(item.productID) }
        if case .promotionalOffer(let offerID) = item.purpose,
            product.promotionalOffers.index(forKey: ExactText(offerID)) == nil
        {
            throw IssueError.unknownOffer(productID: item.productID, offerID: offerID)
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
    ) throws -> SignedOffer {
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
            let signature = try key.sign(payload)
            return SignedOffer(
                nonce: nonce, token: .payload(signature.der), digest: signature.digest, advice: decision.advice)
        }
        let claims = try claims(for: item, as: decision, of: request, app: app, nonce: nonce, now: now)
        let signed = try key.sign(claims)
        return SignedOffer(nonce: nonce, token: .jws(signed.compactJWS), digest: signed.digest, advice: decision.advice)
    }

    private func claims(
        for item: SignatureRequest.Item,
        as decision: OfferDecision,
        of request: SignatureRequest,
        app: App,
        nonce: UUID,
        now: Instant
    ) throws(AppError) -> JWSClaims {
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
    package var offerID: String? {
        if case .promotionalOffer(let offerID) = self { offerID } else { nil }
    }
}

extension LedgerSignature {
    fileprivate init(_ signed: SignedOffer, of item: SignatureRequest.Item) {
        switch item.purpose {
        case .promotionalOffer(let offerID):
            self.init(nonce: signed.nonce, productID: item.productID, offerID: offerID, digest: signed.digest)
        case .introductoryOffer(let transactionID, _):
            self.init(
                nonce: signed.nonce, productID: item.productID, offerID: "", transactionID: transactionID,
                digest: signed.digest)
        }
    }
}

extension LedgerEntry {
    fileprivate init(
        _ signatures: [LedgerSignature],
        of request: SignatureRequest,
        app: App,
        keyID: String,
        now: Instant,
        caller: Caller,
        requestID: String
    ) {
        var form = request.form == .payload ? Form.payload : .promotionalJWS
        // No request asks for both kinds of offer.
        if case .introductoryOffer = request.items[0].purpose { form = .introductoryJWS }
        self.init(
            signedAt: now,
            bundleID: app.bundleID,
            keyID: keyID,
            form: form,
            caller: caller.id,
            customerID: request.customerID,
            applicationUsername: form == .payload ? request.applicationUsername : nil,
            transactionID: request.transactionID,
            requestID: requestID,
            signatures: signatures
        )
    }
}

extension LedgerRefusals {
    fileprivate init(
        _ refusals: [RefusalRecord],
        of request: SignatureRequest,
        app: App,
        now: Instant,
        caller: Caller
    ) {
        self.init(
            refusedAt: now,
            bundleID: app.bundleID,
            caller: caller.id,
            customerID: request.customerID,
            applicationUsername: request.form == .payload ? request.applicationUsername : nil,
            transactionID: request.transactionID,
            requestID: refusals[0].requestID,
            offers: refusals.map {
                Offer(
                    productID: $0.productID, offerID: $0.offerID, reason: $0.verdict.reason.code,
                    evidence: $0.verdict.transactionID)
            }
        )
    }
}
