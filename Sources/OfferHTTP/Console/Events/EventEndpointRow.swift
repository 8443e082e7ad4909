import OfferService

/// An endpoint in the list.
struct EventEndpointRow: TemplateView {
    let name: String
    /// Its host, and the events that it receives.
    let host: String
    let types: String
    let state: BadgeView
    /// Since when it is disabled.
    let since: RichText?
    let pending: String
    /// When the oldest pending event took place.
    let oldest: RichText?
    let failed: String
    /// The list of those that failed; nil if none did.
    let failedPath: String?
    let mayTest: Bool
    let mayEnable: Bool

    init(_ endpoint: EventEndpointLine, mayRun: Bool, _ time: ConsoleTime) {
        let isKnown = endpoint.host != nil
        name = endpoint.name
        host = endpoint.host ?? "not in the configuration any more"
        types = endpoint.types.joined(separator: ", ")
        state =
            endpoint.disabledAt != nil
            ? BadgeView(word: "Disabled", tone: "bad")
            : isKnown ? BadgeView(word: "Receiving", tone: "good") : BadgeView(word: "Removed", tone: "idle")
        since = endpoint.disabledAt.map { time.live($0, withZone: false) }
        pending = ConsoleTime.number(endpoint.pending)
        oldest = endpoint.oldestPending.map { time.live($0, withZone: false) }
        failed = ConsoleTime.number(endpoint.failed)
        failedPath =
            endpoint.failed > 0 ? "/console/events?endpoint=\(PercentEncoding.encoded(endpoint.name))&state=failed" : nil
        mayTest = mayRun && isKnown && endpoint.disabledAt == nil
        mayEnable = mayRun && isKnown && endpoint.disabledAt != nil
    }
}
