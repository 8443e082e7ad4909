import EligibilityRules
import FoundationEssentials
import OfferService

/// The form for a new access key, as filled in.
struct AccessForm {
    /// How long a key may work: the days, empty for no end, and the words.
    static let terms = [
        (days: "30", label: "30 days"), (days: "90", label: "90 days"), (days: "365", label: "1 year"),
        (days: "", label: "No end"),
    ]
    private static let every = "*"

    private(set) var note = ""
    private(set) var term = "90"
    private(set) var timeZone = ""
    private(set) var apps: [String] = []
    private(set) var role: Role?
    private(set) var faults = FormErrors.none

    /// Whether the key is for every app, also later ones.
    var isForAllApps: Bool { apps.contains(Self.every) }

    /// Creates an empty form.
    init() {}

    /// Reads a submitted form.
    init(_ form: FormBody) {
        note = String(form["note"].drop { $0.isWhitespace })
        term = form["expires"]
        timeZone = form["timeZone"]
        apps = form.all("app")
        role = Role(rawValue: form["role"])
        var faults: [(id: String, text: String)] = []
        if note.isEmpty { faults.append(("note", "The note is empty. Say what the key is for: people know it by this.")) }
        if let fault = TextLimit.accessNote.fault(of: note) { faults.append(("note", "The note \(fault.reason).")) }
        if !timeZone.isEmpty, TimeZone(iana: timeZone) == nil {
            faults.append(("timeZone", "“\(timeZone)” is not a time zone. Write it as Europe/Berlin, or leave it empty for UTC."))
        }
        if !Self.terms.contains(where: { $0.days == term }) { faults.append(("expires", "Choose how long the key works.")) }
        if apps.isEmpty { faults.append(("apps", "No app is chosen. Choose at least one, or all apps.")) }
        if role == nil { faults.append(("role", "No role is chosen. Choose what the key may do.")) }
        self.faults = FormErrors(faults)
    }

    /// Returns the access key to create, which is valid if there are no faults.
    func keyRequest(at now: Instant) -> AccessKeyRequest {
        AccessKeyRequest(
            role: role ?? .viewer, apps: isForAllApps ? nil : apps, note: note,
            timeZone: timeZone.isEmpty ? nil : timeZone,
            expiresAt: Int64(term).map { now.advanced(by: $0 * 86_400_000) })
    }
}
