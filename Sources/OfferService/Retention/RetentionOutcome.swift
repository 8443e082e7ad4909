/// The outcome of a request of the App Store; the raw values are those of the metric.
package enum RetentionOutcome: String, Sendable, CaseIterable {
    /// A signed offer.
    case offer
    /// A text, of a campaign or the default one.
    case message
    /// No answer: the App Store shows what App Store Connect says.
    case nothing
    /// The default, because something failed.
    case failed
    /// The default, because the decision was late.
    case late

    /// From the JSON of an answer.
    init(ofBody body: [UInt8]) {
        self = body.isEmpty ? .nothing : body.starts(with: RetentionChoice.offerPrefix) ? .offer : .message
    }
}
