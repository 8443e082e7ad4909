package import EligibilityRules
import WireText

extension ServerAPI {
    /// Returns one page of the notifications that the App Store sent in a span of time.
    ///
    /// - Parameters:
    ///   - page: the `nextPage` of the page before; nil for the first page.
    ///   - environment: the environment whose notifications are listed.
    package func notificationHistory(
        from start: Instant,
        to end: Instant,
        page: String? = nil,
        in environment: AppStoreEnvironment = .production
    ) async throws(AppStoreError) -> NotificationPage {
        let body = JSONWriter.bytes { json in
            json.append(raw: #"{"startDate":"#)
            json.append(start.milliseconds)
            json.append(raw: #","endDate":"#)
            json.append(end.milliseconds)
            json.append(raw: "}")
        }
        let query = page.map { "?paginationToken=\(URLText.encoded($0))" } ?? ""
        let answer = try await ask(in: environment, .post, "/inApps/v1/notifications/history\(query)", .json(body))
        let payloads = answer.objects("notificationHistory").compactMap { $0.text("signedPayload") }
        guard answer.flag("hasMore") == true else { return NotificationPage(signedPayloads: payloads, nextPage: nil) }
        guard let next = answer.text("paginationToken"), next != page else {
            throw AppStoreError(.malformedAnswer, "the App Store announces a next page and does not name it")
        }
        return NotificationPage(signedPayloads: payloads, nextPage: next)
    }
}

/// One page of the notifications that the App Store has sent.
public struct NotificationPage: Equatable, Sendable {
    /// The JWS of each notification.
    public let signedPayloads: [String]
    /// The token of the next page; nil on the last page.
    public let nextPage: String?
}
