/// Says a key's state as a word, a shape and a colour.
enum KeyBadge {
    /// Returns the badge of a state.
    ///
    /// - Parameter name: the name of the state.
    static func view(_ name: String) -> BadgeView {
        let tone =
            switch name {
            case "staged": "info ring"
            case "active": "good"
            case "retiring": "warn"
            case "revoked": "bad"
            default: "idle"
            }
        return BadgeView(word: name.firstUppercased.filter { $0 != "." }, tone: tone)
    }
}
