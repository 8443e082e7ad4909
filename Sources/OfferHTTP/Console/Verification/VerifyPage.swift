import Hummingbird
import OfferService
import WireText

/// The page that says what is wrong with a signature that the App Store refuses.
///
/// It asks the same use case as `POST /v1/verify`.
struct VerifyPage: Sendable {
    let route: ConsoleRoute
    let apps: AppDirectory
    let examination: SignatureExamination

    var routes: [OperationRoute] {
        [
            route.get("/verify", .verify) { _, visitor in page(VerifyForm(), visitor) },
            route.post("/verify", .verify) { _, visitor, form in try await verify(VerifyForm(form), visitor) },
        ]
    }

    private func verify(_ form: VerifyForm, _ visitor: ConsoleVisitor) async throws -> Response {
        let app = try apps.app(named: form.app.isEmpty ? nil : form.app, for: visitor.caller)
        guard let subject = form.subject else { return page(form, visitor, faults: form.faults) }
        return page(form, visitor, findings: try await examination.findings(for: subject, of: app, for: visitor.caller))
    }

    private func page(
        _ form: VerifyForm,
        _ visitor: ConsoleVisitor,
        faults: FormErrors = .none,
        findings: [SignatureExamination.Finding]? = nil
    ) -> Response {
        let view = VerifyView(form, apps: apps.bundleIDs.filter(visitor.caller.mayUse), faults: faults, findings: findings)
        return route.pages.page(
            view, title: "Check a signature", at: .verify, for: visitor, status: faults.isEmpty ? .ok : .unprocessableContent)
    }
}

/// The form of the page: a JWS, or a signature in the payload form with its fields.
struct VerifyForm {
    /// The fields of the payload form, by their names in the API.
    static let fields = VerifyController.payloadFields
    private static let longest = SignatureExamination.longestJWS

    var app = ""
    var signature = ""
    var values: [String: String] = [:]

    init() {}

    init(_ form: FormBody) {
        (app, signature) = (form["app"], form["signature"])
        for name in Self.fields { values[name] = form[name] }
    }

    /// Whether a field of the payload form was filled in.
    var hasFields: Bool { values.values.contains { !$0.isEmpty } }

    // A signature in the payload form has no full stop. Without its fields only the text itself can be checked.
    private var isJWS: Bool { signature.contains(".") || !hasFields }

    /// What is to be examined; nil if the form has faults.
    var subject: SignatureExamination.Subject? {
        guard faults.isEmpty else { return nil }
        // A text that was copied from a terminal often ends with a line end, which is no mistake of the app.
        if isJWS { return .jws(signature.trimmed) }
        return .payload(
            SignatureExamination.PayloadSignature(
                productID: value("productId"), offerID: value("offerId"),
                applicationUsername: values["applicationUsername"] ?? "", nonce: value("nonce"), keyID: value("keyIdentifier"),
                signature: signature.trimmed, timestamp: timestamp ?? 0))
    }

    private func value(_ name: String) -> String { (values[name] ?? "").trimmed }

    private var timestamp: Int64? {
        Int64(value("timestamp")).flatMap { SigningClock.timestamps.contains($0) ? $0 : nil }
    }

    var faults: FormErrors {
        if signature.trimmed.isEmpty { return FormErrors([("signature", "Paste a JWS or a signature.")]) }
        if signature.unicodeScalars.count > Self.longest {
            return FormErrors([("signature", "A JWS has \(Self.longest) characters at most.")])
        }
        guard !isJWS else { return .none }
        var faults: [(id: String, text: String)] = []
        for name in Self.fields where name != "applicationUsername" {
            if let fault = Identifier.fault(of: value(name)) { faults.append((name, "\(name) \(fault).")) }
        }
        if faults.allSatisfy({ $0.id != "timestamp" }), timestamp == nil {
            faults.append(("timestamp", "timestamp must be a number, as the app passes it to StoreKit."))
        }
        return FormErrors(faults)
    }
}

/// The content of the page that checks a signature.
struct VerifyView: PageView {
    static let template = "verify"

    /// A field of the payload form.
    struct Field: TemplateView {
        let id: String
        let value: String
        let isInvalid: Bool
    }

    /// The outcome for a signature.
    struct Outcome: TemplateView {
        let tone: String
        let word: String
        let sentence: String
        let advice: String?
        let findings: [Finding]
    }

    struct Finding: TemplateView {
        let code: String
        let text: String
    }

    let apps: [FieldView.Choice]
    /// Whether the reader may choose among several apps.
    let isChoice: Bool
    let signature: String
    let signatureError: Bool
    let fields: [Field]
    /// Whether the fields of the payload form are shown at once.
    let showsFields: Bool
    let hasErrors: Bool
    let errors: [ErrorView]
    let outcome: Outcome?

    init(_ form: VerifyForm, apps: [String], faults: FormErrors, findings: [SignatureExamination.Finding]?) {
        self.apps = apps.map { FieldView.Choice(id: $0, label: $0, isChosen: $0 == form.app) }
        isChoice = apps.count > 1
        signature = form.signature
        signatureError = !faults["signature"].isEmpty
        fields = VerifyForm.fields.map {
            Field(id: $0, value: form.values[$0] ?? "", isInvalid: !faults[$0].isEmpty)
        }
        showsFields = form.hasFields || findings?.contains { $0.code == "payload-signature" } ?? false
        hasErrors = !faults.isEmpty
        errors = faults.views
        outcome = findings.map { findings in
            guard !findings.isEmpty else {
                return Outcome(
                    tone: "good", word: "Valid", sentence: "Nothing is wrong with it.",
                    advice:
                        "If the App Store refuses it all the same, the nonce was used already, or the customer or the offer does not qualify.",
                    findings: [])
            }
            return Outcome(
                tone: "bad", word: "Not valid",
                sentence: findings.count == 1 ? "One thing is wrong:" : "\(findings.count) things are wrong:", advice: nil,
                findings: findings.map { Finding(code: $0.code, text: $0.message.firstUppercased) })
        }
    }
}
