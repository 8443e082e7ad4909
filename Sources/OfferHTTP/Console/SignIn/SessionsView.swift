import OfferService

/// The page about the reader's sessions.
struct SessionsView: PageView {
    static let template = "sessions"

    /// A session.
    struct Row: TemplateView {
        let since: RichText
        let seen: RichText
        let address: String
        let userAgent: String
        /// Whether the page is requested in it.
        let isThis: Bool
    }

    /// The note of the reader's access key.
    let who: String
    /// The minutes without activity after which a session ends.
    let idleMinutes: Int
    /// The hours after which a session ends in any case.
    let maxHours: Int
    /// The number of sessions, for people.
    let count: String
    let now: RichText
    let sessions: [Row]

    init(_ sessions: [ConsoleSession], of caller: Caller, idleMinutes: Int64, maxHours: Int64, _ time: ConsoleTime) {
        who = caller.note
        self.idleMinutes = Int(idleMinutes)
        self.maxHours = Int(maxHours)
        count = ConsoleTime.count(sessions.count, "session")
        now = time.at(time.now)
        self.sessions = sessions.map {
            Row(
                since: time.at($0.signedInAt, withZone: false), seen: time.live($0.lastSeenAt, withZone: false),
                address: $0.address, userAgent: $0.userAgent, isThis: $0.isThis)
        }
    }
}
