import Logging
import OfferSigning
import OfferStore
import OfferStoreSQLite
import Testing

@testable import OfferHTTP
@testable import OfferService
@testable import OfferSigner

@Suite("Failures")
struct FailureLogTests {
    private let start = ContinuousClock.now

    private func key(_ code: String) -> FailureTally.Key {
        FailureTally.Key(message: "a request failed", app: "", subject: .store, code: code)
    }

    @Test("The first of its kind is logged at once, and the others once a minute with their number")
    func summaries() {
        var tally = FailureTally()
        let tellsFirst = tally.note(key("full"), reason: "first", at: start)
        #expect(tellsFirst)
        for second in 1...59 {
            let tells = tally.note(key("full"), reason: "number \(second)", at: start + .seconds(second))
            #expect(!tells)
        }
        let tellsOther = tally.note(key("gone"), reason: "another", at: start + .seconds(59))
        #expect(tellsOther)
        let early = tally.due(at: start + .seconds(59))
        #expect(early == [])
        let due = tally.due(at: start + .seconds(60))
        #expect(due == [FailureTally.Summary(key: key("full"), reason: "number 59", count: 59, seconds: 60)])
        // It goes on: no line of its own, but a number again.
        let tellsAgain = tally.note(key("full"), reason: "later", at: start + .seconds(61))
        #expect(!tellsAgain)
        let later = tally.due(at: start + .seconds(125))
        #expect(later == [FailureTally.Summary(key: key("full"), reason: "later", count: 1, seconds: 65)])
    }

    @Test("What did not come again for a minute is logged at once when it does")
    func quiet() {
        var tally = FailureTally()
        _ = tally.note(key("full"), reason: "", at: start)
        let due = tally.due(at: start + .seconds(60))
        #expect(due == [])
        let tells = tally.note(key("full"), reason: "", at: start + .seconds(61))
        #expect(tells)
    }

    @Test("Nothing that was counted is lost when the service stops")
    func rest() {
        var tally = FailureTally()
        for _ in 1...3 { _ = tally.note(key("full"), reason: "disk", at: start) }
        let rest = tally.rest(at: start + .seconds(7))
        #expect(rest == [FailureTally.Summary(key: key("full"), reason: "disk", count: 2, seconds: 7)])
        let again = tally.rest(at: start + .seconds(8))
        #expect(again == [])
    }

    @Test(
        "A failure names what does not work, and is a warning where that is not in our hands",
        arguments: [
            (StoreError(.logRemoved, "x"), .store, "store-log-removed", .error),
            (SigningError(.duplicateKey, "x"), .keys, SigningError.Code.duplicateKey.rawValue, .error),
            (IssueError.notReady("x", of: .clock), .clock, "not-ready", .error),
            (IssueError.notReady("x", of: .keys), .keys, "not-ready", .error),
            (HistoryError.appStoreFailed(code: "away", detail: "x", retryAfter: 1), .appStore, "away", .warning),
            (HistoryError.notAuthentic(code: "signed-in-future", detail: ""), .clock, "signed-in-future", .error),
            (
                HistoryError.signedDataRejected(field: "", code: "signed-in-future", detail: ""), .clock, "signed-in-future",
                .error
            ),
            (HistoryError.busy, .load, "busy", .warning), (CampaignError.busy, .load, "busy", .warning),
            (ClientGone(), .load, "given-up", .warning),
            (CancellationError(), .service, "internal-error", .error),
        ] as [(any Error, Failure.Subject, String, Logger.Level)])
    func subjects(error: any Error, subject: Failure.Subject, code: String, level: Logger.Level) throws {
        let failure = try #require(Problem(error).failure)
        #expect((failure.subject, failure.code, failure.level) == (subject, code, level))
    }

    @Test("What callers do wrong is no failure")
    func callersFaults() {
        #expect(Problem(AppError.unknownProduct("x")).failure == nil)
        #expect(Problem(HistoryError.boundToAnotherCustomer).failure == nil)
        #expect(Problem(HistoryError.notAuthentic(code: "untrusted-root", detail: "")).failure == nil)
        #expect(Problem(HistoryError.signedDataRejected(field: "", code: "invalid-signature", detail: "")).failure == nil)
        #expect(Problem(HistoryError.refusedByAppStore(code: "app-store-not-found", detail: "", isFinal: true)).failure == nil)
    }

    @Test("Warnings and errors are logged at any level, the rest from the level on that is set", arguments: Logger.Level.allCases)
    func levels(_ level: Logger.Level) {
        let shared = LogLevel(.trace)
        let logger = Logger(label: "test") { JSONLogHandler(label: $0, level: shared, sink: LogSink(descriptor: 1)) }
        shared.change(to: level)
        #expect(logger.logLevel == min(level, .warning))
        #expect(shared.admits(.info) == (level <= .info))
    }
}
