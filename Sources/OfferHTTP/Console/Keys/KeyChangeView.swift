import OfferService

/// The page on which a user confirms a change to a signing key.
struct KeyChangeView: PageView {
    static let template = "key-change"

    /// A key that can take over from the one that is revoked.
    struct Successor: TemplateView {
        let id: String
        let badge: BadgeView
        let isChosen: Bool
        let hint: String
    }

    let id: String
    let app: String
    /// The last part of the page's path, such as `revoke`.
    let action: String
    let isRevocation: Bool
    let question: String
    let sub: RichText
    let button: String
    let cancel: String
    let badge: BadgeView
    let isActive: Bool
    let twoPersons: Bool
    let marks: [MarkView]
    let successors: [Successor]
    let noneIsChosen: Bool
    let reason: String
    let typed: String
    let typedError: String?
    let error: String?

    /// - Parameters:
    ///   - status: the key's state in the app that the change is for.
    ///   - statuses: the states of every key in every app.
    init(
        _ action: KeyChangePages.Action,
        _ status: KeyDesk.KeyStatus,
        among statuses: [KeyDesk.KeyStatus],
        needsTwo: Bool,
        input: KeyChangePages.Input
    ) {
        id = status.keyID
        app = status.bundleID
        self.action = action.rawValue
        isRevocation = action == .revoke
        (question, cancel) =
            switch action {
            case .activate: ("Activate key \(status.keyID)?", "Not now")
            case .rollback: ("Roll back from key \(status.keyID)?", "Keep the key")
            case .revoke: ("Revoke key \(status.keyID)?", "Keep the key")
            }
        sub = Self.sub(action, status)
        let verb = action == .rollback ? "roll back" : action.rawValue
        button = needsTwo ? "Ask for confirmation and \(verb)" : verb.prefix(1).uppercased() + verb.dropFirst()
        badge = KeyBadge.view(status.stateName)
        isActive = status.stateName == "active"
        twoPersons = needsTwo
        marks = KeyChangeMarks.all(action, status, among: statuses, needsTwo: needsTwo)
        let others = statuses.filter { $0.bundleID == status.bundleID && $0.keyID != status.keyID }
        successors = Self.successors(others, input)
        noneIsChosen = input.next == "" || others.allSatisfy { ["revoked", "retired"].contains($0.stateName) }
        reason = input.reason
        typed = input.typed
        typedError = input.typedError
        error = input.error
    }

    private static func sub(_ action: KeyChangePages.Action, _ status: KeyDesk.KeyStatus) -> RichText {
        switch action {
        case .activate: "It signs every offer of \(status.bundleID) from then on."
        case .rollback: "The key that signed before it signs again. This one retires."
        case .revoke:
            "Use this if the key may have leaked. To replace a key without hurry, \(link: "activate the staged key", to: "/console/keys") and let this one retire."
        }
    }

    private static func successors(_ others: [KeyDesk.KeyStatus], _ input: KeyChangePages.Input) -> [Successor] {
        let possible = others.filter { $0.stateName == "staged" || $0.stateName == "retiring" }
            .sorted { ($0.stateName == "staged" ? 0 : 1, $0.keyID) < ($1.stateName == "staged" ? 0 : 1, $1.keyID) }
        return possible.enumerated().map { index, status in
            Successor(
                id: status.keyID, badge: KeyBadge.view(status.stateName),
                isChosen: input.next.map { $0 == status.keyID } ?? (index == 0),
                hint: status.stateName == "staged" ? "Loaded and tested." : "A key from before. It becomes active again.")
        }
    }
}
