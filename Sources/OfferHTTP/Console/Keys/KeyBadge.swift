import OfferService

/// A key's state as a word, a shape and a colour.
struct KeyBadge {
    let state: String
    let tone: String

    /// - Parameter name: the name of the state.
    init(_ name: String) {
        state = name.firstUppercased.filter { $0 != "." }
        tone =
            switch name {
            case "staged": "info ring"
            case "active": "good"
            case "retiring": "warn"
            case "revoked": "bad"
            default: "idle"
            }
    }
}
