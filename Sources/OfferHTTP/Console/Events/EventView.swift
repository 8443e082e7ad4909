import OfferService

/// The page about one delivery.
struct EventView: PageView {
    static let template = "event"

    /// One attempt.
    struct Attempt: TemplateView {
        let at: RichText
        let seconds: String
        let outcome: String
    }

    /// What became of the reader's last action.
    let done: String?
    let number: String
    let type: String
    let state: BadgeView
    let endpoint: String
    let at: RichText
    let id: String
    let app: String?
    /// When it is sent next; nil if it is not.
    let next: RichText?
    let body: String
    let curl: String
    let mayRun: Bool
    let hasAttempts: Bool
    let attempts: [Attempt]

    /// Creates the page.
    ///
    /// - Parameter mayRun: whether the reader may send it again.
    init(_ line: EventLine, attempts: [EventAttemptLine], done: String?, mayRun: Bool, _ time: ConsoleTime) {
        self.done = done
        number = "\(line.number)"
        type = line.type
        state = EventWords.badge(line)
        endpoint = line.endpoint
        at = time.at(line.at)
        id = line.id
        app = line.bundleID
        next = line.dueAt.map { time.live($0) }
        body = String(decoding: line.body, as: UTF8.self)
        curl = Self.curl(line)
        self.mayRun = mayRun
        hasAttempts = !attempts.isEmpty
        self.attempts = attempts.map { attempt in
            Attempt(
                at: time.at(attempt.at, withZone: false),
                seconds: "\(attempt.milliseconds / 1000).\(attempt.milliseconds % 1000 / 100)",
                outcome: EventWords.outcome(attempt))
        }
    }

    /// Returns the request as a command, without the signature and the address, which may contain a secret.
    private static func curl(_ line: EventLine) -> String {
        let body = String(decoding: line.body, as: UTF8.self).replacing("'", with: #"'\''"#)
        return """
            curl -X POST "$ENDPOINT_URL" -H 'content-type: application/json' -H 'webhook-id: \(line.id)' \
            -H "webhook-timestamp: $(date +%s)" --data '\(body)'
            """
    }
}
