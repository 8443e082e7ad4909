import EligibilityRules
import FoundationEssentials
import OfferSigning
import OfferStore

extension SignatureTurn {
    /// Signatures that were made but not recorded yet. They must not be sent before they are recorded.
    struct Draft {
        /// The bytes of the answer.
        let body: [UInt8]
        let submission: LedgerSubmission
        let report: IssueReport
    }

    /// Makes the answer, and what is to be recorded, from decisions and signatures.
    ///
    /// - Parameter outputs: one output for each of the plan's inputs.
    func draft(of plan: consuming Plan, _ outputs: [SigningOutput]) throws(IssueError) -> Draft {
        guard outputs.count == plan.inputs.count else {
            throw .notReady("the key has not signed everything", of: .keys)
        }
        var issued = IssuedOffers(
            keyID: plan.key.id, timestamp: plan.now.milliseconds, applicationUsername: request.applicationUsername)
        issued.results.reserveCapacity(request.items.count)
        var signatures: [LedgerSignature] = []
        signatures.reserveCapacity(outputs.count)
        var report = IssueReport(partition: app.partition)
        var chosen: [(CampaignAssignment, UUID)] = []
        // An introductory offer takes no place in a limit, so its campaign is still probed.
        var reserved: [CampaignAssignment] = []
        for step in plan.steps {
            let (item, decision) = (step.item, step.decision)
            if let verdict = decision.unsigned {
                let record = UnsignedOffer(
                    productID: item.productID, offerID: item.purpose.offerID ?? "", verdict: verdict,
                    partition: app.partition, caller: caller.id, requestID: supplier.origin.requestID ?? "")
                let isRefused = decision == .refuse(verdict)
                issued.results.append(
                    OfferResult(
                        productID: item.productID, purpose: item.purpose,
                        outcome: isRefused ? .refused(verdict) : .notNeeded(verdict), campaign: step.campaign))
                if isRefused {
                    report.refusals.append(record)
                } else if item.purpose != .campaignOffer {
                    report.unneeded.append(record)
                }
                continue
            }
            if let advice = decision.advice, advice.status != .eligible { report.contradicted.append(advice) }
            let output = outputs[signatures.count]
            let signed = SignedOffer(
                nonce: step.nonce!, token: output.token, digest: output.digest, advice: decision.advice)
            issued.results.append(
                OfferResult(
                    productID: item.productID, purpose: item.purpose, outcome: .signed(signed), campaign: step.campaign))
            if let campaign = step.campaign {
                chosen.append((campaign, signed.nonce))
                if !item.purpose.isIntroductory { reserved.append(campaign) }
            }
            signatures.append(LedgerSignature(signed, of: item, issuedDay: plan.issuedDay(of: signed.nonce)))
        }
        report.assignments = plan.choice?.decision.assignments ?? []
        issued.assignments = report.assignments
        let body = render(issued)
        let submission = LedgerSubmission(
            signatures.isEmpty ? nil : LedgerEntry(signatures, of: self, at: plan.now, keyID: plan.key.id),
            refusals: report.refusals.isEmpty ? nil : LedgerRefusals(report.refusals, of: self, at: plan.now),
            exposures: plan.choice?.exposures(signed: chosen, issuer.rules.exposures) ?? [], reservations: plan.reservations,
            probes: plan.choice?.probes(without: reserved) ?? [])
        return Draft(body: body, submission: keeping(body, in: submission, at: plan.now), report: report)
    }
}

extension SignatureRequest.Purpose {
    /// The id of the promotional offer; nil for any other purpose.
    package var offerID: String? {
        if case .promotionalOffer(let offerID) = self { offerID } else { nil }
    }

    /// The promotional offer of a product; nil for any other purpose.
    func offer(of productID: String) -> CampaignVariant.Offer? {
        offerID.map { CampaignVariant.Offer(productID: productID, offerID: $0) }
    }
}

extension LedgerSignature {
    fileprivate init(_ signed: SignedOffer, of item: SignatureRequest.Item, issuedDay: Int64) {
        switch item.purpose {
        case .promotionalOffer(let offerID):
            self.init(
                nonce: signed.nonce, issuedDay: issuedDay, productID: item.productID, offerID: offerID, digest: signed.digest)
        case .campaignOffer: preconditionFailure("an offer is chosen before it is signed")
        case .introductoryOffer(let transactionID, _):
            self.init(
                nonce: signed.nonce, issuedDay: issuedDay, productID: item.productID, offerID: "",
                transactionID: transactionID, digest: signed.digest)
        }
    }
}

extension SignatureTurn {
    /// What is recorded of the request with its signatures and refusals.
    fileprivate var ledgerRequest: LedgerRequest {
        LedgerRequest(
            id: supplier.origin.requestID ?? "", caller: caller.id, address: supplier.origin.address,
            customerID: request.customer.customerID,
            applicationUsername: request.form == .payload ? request.applicationUsername : nil,
            transactionID: recordedTransactionID)
    }

    /// The transaction id that the request names. If it names neither that nor a customer, it is what leads from a redemption back to
    /// the signature: the Apple account, or the purchase that the signed transactions show.
    private var recordedTransactionID: String? {
        let named = request.customer
        if named.transactionID != nil || named.customerID != nil { return named.transactionID }
        return named.appTransactionID ?? shown?.transactionID
    }
}

extension LedgerEntry {
    fileprivate init(_ signatures: [LedgerSignature], of turn: SignatureTurn, at now: Instant, keyID: String) {
        let request = turn.request
        var form = request.form == .payload ? Form.payload : .promotionalJWS
        // No request mixes promotional and introductory offers, so the first item decides.
        if case .introductoryOffer = request.items[0].purpose { form = .introductoryJWS }
        self.init(
            signedAt: now,
            partition: turn.app.partition,
            keyID: keyID,
            form: form,
            request: turn.ledgerRequest,
            signatures: signatures
        )
    }
}

extension LedgerRefusals {
    fileprivate init(_ refusals: [UnsignedOffer], of turn: SignatureTurn, at now: Instant) {
        self.init(
            refusedAt: now,
            partition: turn.app.partition,
            request: turn.ledgerRequest,
            offers: refusals.map {
                Offer(
                    productID: $0.productID, offerID: $0.offerID, reason: $0.verdict.reason.code,
                    evidence: $0.verdict.transactionID)
            }
        )
    }
}

/// What the observer receives about a request besides its signatures, as soon as the answer is certain.
struct IssueReport {
    let partition: AppPartition
    var refusals: [UnsignedOffer] = []
    /// Overrides that were not signed, because the App Store does not need them.
    var unneeded: [UnsignedOffer] = []
    /// The verdicts against which offers were signed, because the app is set to `advise`.
    var contradicted: [Verdict] = []

    /// The campaigns that have taken the customer.
    var assignments: [CampaignAssignment] = []

    /// Passes all of this to the observer.
    func notify(_ observer: any IssueObserver) {
        if !assignments.isEmpty { observer.didAssign(assignments, partition: partition) }
        for refusal in refusals { observer.didRefuse(refusal) }
        for item in unneeded { observer.didFindUnneeded(item) }
        for verdict in contradicted { observer.didSign(against: verdict, partition: partition) }
    }
}
