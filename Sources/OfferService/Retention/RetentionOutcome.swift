/// What came of a question of the App Store's; the raw values are those of the metric.
package enum RetentionOutcome: String, Sendable, CaseIterable {
    /// A signed offer.
    case offer
    /// A text, be it a campaign's or the default one.
    case message
    /// Nothing of ours: the App Store shows what App Store Connect says.
    case nothing
    /// The default, because something did not work.
    case failed
    /// The default, because the decision was not there in time.
    case late

    /// Of an answer's JSON.
    init(ofBody body: [UInt8]) {
        self = body.isEmpty ? .nothing : body.starts(with: RetentionChoice.offerPrefix) ? .offer : .message
    }
}
