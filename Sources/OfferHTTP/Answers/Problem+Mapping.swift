import EligibilityRules
import NIOHTTP1
import OfferService
import WireText

// This is the only place where errors become HTTP statuses, codes and texts.
extension Problem {
    init(_ error: any Error) {
        switch error {
        case let problem as Problem: self = problem
        case let error as AppError: self.init(error)
        case let error as IssueError: self.init(error)
        case let error as RequestFault: self.init(error)
        case let error as HistoryError: self.init(error)
        case let error as RetentionError: self.init(error)
        case let error as CustomerError: self.init(error)
        case let error as KeyError: self.init(error)
        case let error as AccessError: self.init(error)
        case let error as CampaignError: self.init(error)
        case let error as EndUserError: self.init(error)
        case let error as EventError: self.init(error)
        case is ClientGone: self = .notReady("given up: the client has closed its side of the connection")
        case _ where Failure.isOfRevokedCaller(error): self = .unauthorized
        case let error as EndUserRefusal: self = .forbidden(error.detail)
        default: self = Failure.outage(behind: error).map(Problem.notReady) ?? .internalError
        }
        failure = failure ?? Failure.behind(error, status: status.code)
        guard status.code >= 500 else { return }
        cause = cause ?? (error is IssueError ? detail : "\(error)")
    }

    private init(_ error: AppError) {
        let detail = "\(error)"
        switch error {
        case .unknown: self.init(.notFound, "unknown-app", "No such app", detail)
        case .notAllowed: self = .forbidden(detail)
        case .notNamed: self.init(.invalidFields([FieldFault(name: "bundleId", reason: detail)]))
        case .environmentNotTaken, .purchasesUnknown:
            self.init(RequestFault.invalidFields([FieldFault(name: "environment", reason: detail)]))
        case .unknownProduct: self.init(.notFound, "unknown-product", "No such product", detail)
        case .issuerIDMissing: self.init(.unprocessableEntity, "issuer-id-missing", "No issuer id", detail)
        }
    }

    private init(_ error: IssueError) {
        switch error {
        case .overrideNotAllowed(let role): self = .forbidden(.override, to: role, what: "send allow: true")
        case .unknownOffer(let product, let offer, let near):
            let detail = "product \(product) has no promotional offer \(offer) in the catalogue\(near)"
            self.init(.notFound, "unknown-offer", "No such offer", detail)
        case .nonceReplayed(let nonce):
            let detail = "nonce \(nonce.lowerCaseString) was used before; get a new one, or leave it out"
            self.init(.conflict, "nonce-replayed", "Nonce used twice", detail)
        case .nonceNotIssued(let nonce):
            let detail = "nonce \(nonce.lowerCaseString) was not issued to this access key for this app; use POST /v1/nonces"
            self.init(.unprocessableEntity, "nonce-not-issued", "Nonce not issued", detail)
        case .nonceExpired(let nonce):
            let detail = "nonce \(nonce.lowerCaseString) has expired; get a new one, or leave it out"
            self.init(.unprocessableEntity, "nonce-expired", "Nonce expired", detail)
        case .idempotencyKeyReused:
            let detail = "this Idempotency-Key was used for another request; use a new key for a new request"
            self.init(.unprocessableEntity, "idempotency-key-reused", "Idempotency key reused", detail)
        case .callerRevoked: self = .unauthorized
        case .notReady(let reason, _): self = .notReady("\(reason); nothing was signed, try again")
        }
    }

    private init(_ fault: RequestFault) {
        switch fault {
        case .malformed(let fault):
            let detail = "the body is not a JSON object at byte \(fault.offset): \(fault.reason)"
            self.init(.badRequest, "malformed-json", "Malformed JSON", detail)
        case .unknownFields(let fields):
            let detail = "unknown: \(Problem.names(fields)); see fields"
            self.init(.badRequest, "unknown-field", "Unknown field", detail, fields: fields)
        case .invalidFields(let fields):
            let detail = "not usable: \(Problem.names(fields)); see fields"
            self.init(.badRequest, "invalid-field", "Invalid field", detail, fields: fields)
        }
    }

    private init(_ error: HistoryError) {
        switch error {
        case .signedDataRejected(let field, let code, let detail):
            let fields = [FieldFault(name: field, reason: detail)]
            self.init(
                .unprocessableEntity, code, "Signed data refused", "\(field): \(detail)", fields: fields)
        case .boundToAnotherCustomer:
            let detail = "the subscription is bound to another customer of this app; nothing was changed"
            self.init(.conflict, "bound-to-another-customer", "Bound to another customer", detail)
        case .aliasOfAnotherCustomer:
            let detail = "from is a permanent alias of another customer of this app; nothing was changed"
            self.init(.conflict, "bound-to-another-customer", "Bound to another customer", detail)
        case .notAuthentic(let code, let detail):
            let headers = [HeaderLine(name: "WWW-Authenticate", value: #"AppStore realm="offersigner""#)]
            self.init(.unauthorized, code, "Not authentic", detail, headers: headers)
        case .malformedNotification(let detail):
            self.init(.badRequest, "malformed-notification", "Malformed notification", detail)
        case .busy: self = .notReady("too many notifications at once; nothing was stored, send it again")
        case .appStoreFailed(let code, let detail, let retryAfter):
            let headers = [HeaderLine(name: "Retry-After", value: "\(retryAfter)")]
            self.init(
                .serviceUnavailable, "app-store-unavailable", "App Store not available", "\(code): \(detail)",
                headers: headers)
        case .refusedByAppStore(let code, let detail, _):
            self.init(.unprocessableEntity, code, "Refused by the App Store", detail)
        case .unusableDocument(let field, let reason):
            let fields = [FieldFault(name: field, reason: reason)]
            self.init(.badRequest, "invalid-field", "Invalid field", "\(field) \(reason)", fields: fields)
        }
    }

    private init(_ error: RetentionError) {
        switch error {
        case .malformed(let detail):
            self.init(.badRequest, "malformed-retention-request", "Malformed retention request", detail)
        case .busy: self = .notReady("too many retention requests at once; the App Store shows its own message")
        }
    }

    private init(_ error: CustomerError) {
        switch error {
        case .busy: self = .notReady("too many requests search the ledger at once; try again")
        case .unknown(let bundleID):
            let detail =
                "nothing is known of this customer in the app \(bundleID); correct the id, or supply purchases with POST /v1/history/transactions"
            self.init(.notFound, "unknown-customer", "No such customer", detail)
        }
    }

    private init(_ error: KeyError) {
        let detail = "\(error)"
        switch error {
        case .unknownKey: self.init(.notFound, "unknown-key", "No such signing key", detail)
        case .unknownProposal: self.init(.notFound, "unknown-proposal", "No such proposal", detail)
        case .ended: self.init(.conflict, "key-ended", "Signing key ended", detail)
        case .active: self.init(.conflict, "key-active", "Signing key active already", detail)
        case .onlyActive:
            let remedy = detail.replacing("--even-if-active", with: "evenIfActive: true")
            self.init(.conflict, "key-needed", "Signing key needed", remedy)
        case .notActive: self.init(.conflict, "key-not-active", "Signing key not active", detail)
        // With `otherKey`, this replica has another key under the same id than the one that is recorded in the store.
        case .notEverywhere, .otherKey: self.init(.conflict, "key-not-everywhere", "Signing key not at every replica", detail)
        case .nothingToRollBackTo: self.init(.conflict, "nothing-to-roll-back-to", "No earlier signing key", detail)
        case .decidedMeanwhile: self.init(.conflict, "changed-meanwhile", "Changed meanwhile", detail)
        case .sameProposer: self.init(.conflict, "second-person-needed", "Second person needed", detail)
        case .unusableKey: self.init(.unprocessableEntity, "unusable-key", "Unusable signing key", detail)
        case .folderReadOnly: self.init(.conflict, "key-folder-read-only", "Key folder is read-only", detail)
        case .folderUnreadable, .inDoubt: self = .notReady(detail)
        case .invalidReason(let fault): self.init(.invalidFields([fault]))
        }
    }

    private init(_ error: EventError) {
        switch error {
        case .unknownDelivery: self.init(.notFound, "unknown-event", "No such event", "\(error)")
        case .unknownEndpoint: self.init(.notFound, "unknown-endpoint", "No such endpoint", "\(error)")
        case .notAllowed: self = .forbidden("\(error)")
        }
    }

    private init(_ error: AccessError) {
        switch error {
        case .unknownKey: self.init(.notFound, "unknown-access-key", "No such access key", "\(error)")
        case .roleAbove: self = .forbidden("\(error)")
        case .appsNotNamed:
            self.init(
                .invalidFields([FieldFault(name: "bundleIds", reason: "is missing; your access key is for some apps only")]))
        }
    }

    private init(_ error: CampaignError) {
        let detail = "\(error)"
        switch error {
        case .unknownCampaign: self.init(.notFound, "unknown-campaign", "No such campaign", detail)
        case .unknownRevision: self.init(.notFound, "unknown-revision", "No such revision", detail)
        case .invalidID: self.init(.invalidFields([FieldFault(name: "id", reason: detail)]))
        case .notNow: self.init(.conflict, "not-now", "Not possible now", detail)
        case .outdated: self.init(.conflict, "outdated-draft", "Outdated draft", detail)
        case .busy: self = .notReady(detail)
        case .invalidReason(let fault): self.init(.invalidFields([fault]))
        case .nothingPublished: self.init(.conflict, "nothing-published", "Nothing published", detail)
        case .ownWork: self.init(.conflict, "second-person-needed", "Second person needed", detail)
        case .faulty(let findings):
            let fields = findings.map { FieldFault(name: $0.path, reason: $0.message) }
            self.init(.unprocessableEntity, "invalid-campaign", "Campaign with faults", "\(detail)", fields: fields)
        case .tooLarge(let maxBytes): self = .bodyTooLarge(limit: maxBytes)
        case .unknownSegment: self.init(.notFound, "unknown-segment", "No such segment", detail)
        case .segmentInUse: self.init(.conflict, "segment-in-use", "Segment in use", detail)
        case .faultySegment(let findings):
            let fields = findings.map { FieldFault(name: $0.path, reason: $0.message) }
            self.init(.unprocessableEntity, "invalid-segment", "Segment with faults", detail, fields: fields)
        case .invalidTesters(let faults):
            self.init(.unprocessableEntity, "invalid-testers", "Testers with faults", detail, fields: faults)
        }
    }

    private init(_ error: EndUserError) {
        switch error {
        case .invalidToken(let code, let detail):
            let challenge = #"Bearer realm="offersigner", error="invalid_token", error_description="\#(code)""#
            self.init(
                .unauthorized, "invalid-token", "Token not accepted", detail,
                headers: [HeaderLine(name: "WWW-Authenticate", value: challenge)])
            cause = code
        case .keysUnavailable:
            self = .notReady("the token cannot be verified now: its issuer's keys could not be read; try again")
        case .busy: self = .notReady("too many new tokens at once; try again")
        }
    }

    private static func names(_ fields: [FieldFault]) -> String { fields.map(\.name).joined(separator: ", ") }
}

extension Problem: FailureDescribing {
    var asFailure: Failure { Failure(status == .serviceUnavailable ? .load : .service, code, detail) }
}
