import EligibilityRules

/// An instant, to which a script adds the reader's local time.
struct MomentText: TemplateView, Sendable {
    /// The instant as ISO 8601 has it.
    let iso: String
    /// The IANA name of the reader's time zone.
    let zone: String
    /// The instant for people, in UTC.
    let text: String
    /// Whether the text ends with `UTC`.
    let hasZone: Bool
    /// Whether the script keeps the remaining or elapsed time current.
    let isLive: Bool
}
