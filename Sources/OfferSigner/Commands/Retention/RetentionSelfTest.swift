import AppStoreClient
import EligibilityRules
import FoundationEssentials
import NIOHTTP1
import OfferService
import OfferSigning
import WireText

/// Sends many requests like those of the App Store to an endpoint, and checks the answers.
struct RetentionSelfTest: Sendable {
    /// The subscription that the requests are about.
    struct Subject {
        let originalTransactionID: String
        let productID: String
        let appAppleID: Int64
        let environment: String
        /// The app that a signed offer must be for.
        let bundleID: String
    }

    let target: String
    let chain: TestChain
    let subject: Subject

    /// - Parameter deadline: how long an answer may take, in ms. A later one does not count as right.
    func run(requests: Int, concurrent: Int, deadline: Int) async -> RetentionSelfTestReport {
        let answers = await withTaskGroup(of: [RetentionSelfTestReport.Answer].self) { group in
            for worker in 0..<min(concurrent, requests) {
                group.addTask {
                    var answers: [RetentionSelfTestReport.Answer] = []
                    for _ in stride(from: worker, to: requests, by: concurrent) { answers.append(await ask(deadline)) }
                    return answers
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        return RetentionSelfTestReport(target: target, concurrent: concurrent, deadline: deadline, answers: answers)
    }

    private func ask(_ deadline: Int) async -> RetentionSelfTestReport.Answer {
        let clock = ContinuousClock()
        do {
            let request = HTTPClientRequest(.POST, target, headers: ["Content-Type": "application/json"], body: try body())
            let began = clock.now
            let response = try await HTTPClient.shared.send(request, within: .seconds(10), upTo: 1 << 20)
            let took = began.duration(to: clock.now)
            return RetentionSelfTestReport.Answer(
                microseconds: took.components.seconds * 1_000_000 + took.components.attoseconds / 1_000_000_000_000,
                outcome: outcome(status: response.status, response.body))
        } catch {
            let reason = (error as? HTTPClientError)?.detail ?? "\(type(of: error))"
            return RetentionSelfTestReport.Answer(
                microseconds: Int64(deadline) * 1000, outcome: .wrong("no answer: \(reason)"))
        }
    }

    private func body() throws -> [UInt8] {
        let payload = JSONWriter.bytes { json in
            json.append(raw: #"{"originalTransactionId":"#)
            json.append(subject.originalTransactionID)
            json.append(raw: #","appAppleId":"#)
            json.append(subject.appAppleID)
            json.append(raw: #","productId":"#)
            json.append(subject.productID)
            json.append(raw: #","userLocale":"en-US","requestIdentifier":""#)
            json.append(unquoted: UUID())
            json.append(raw: #"","environment":"#)
            json.append(subject.environment)
            json.append(raw: #","signedDate":"#)
            json.append(SystemEnvironment.live.now().milliseconds)
            json.append(raw: "}")
        }
        let jws = try chain.sign(payload)
        return JSONWriter.bytes { json in
            json.append(raw: #"{"signedPayload":"#)
            json.append(jws)
            json.append(raw: "}")
        }
    }

    private func outcome(status: Int, _ body: [UInt8]) -> RetentionSelfTestReport.Outcome {
        if status == 204 { return .wrong("204: nothing of ours to show; the App Store counts that as a failure") }
        let json = try? JSONValue(parsing: body)
        guard status == 200 else {
            guard case .string(let code)? = json?.member("code") else { return .wrong("\(status)") }
            return .wrong("\(status) \(code)")
        }
        guard case .object(let members)? = json, members.count == 1, case let shown = members[0].value,
            case .string(let message)? = shown.member("messageIdentifier"), UUID(text: message) != nil
        else { return .wrong("200 with something else than one thing to show") }
        guard members[0].name == "promotionalOffer" else { return .right(members[0].name) }
        guard case .string(let jws)? = shown.member("promotionalOfferSignatureV2"), let claims = Self.claims(of: jws),
            claims.member("transactionId") == .string(subject.originalTransactionID),
            claims.member("bid") == .string(subject.bundleID), claims.member("aud") == .string("promotional-offer")
        else { return .wrong("an offer that is not signed for this subscription") }
        return .right(members[0].name)
    }

    private static func claims(of jws: String) -> JSONValue? {
        let parts = Array(jws.utf8).split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, let json = Base64.decodeURLSafe(parts[1]) else { return nil }
        return try? JSONValue(parsing: json)
    }
}

/// The result of a self-test, by the terms of Apple's performance test.
struct RetentionSelfTestReport {
    /// Whether an answer is one that the App Store would accept.
    enum Outcome: Hashable {
        /// A right answer, with the name of what it shows, such as `promotionalOffer`.
        case right(String)
        /// A wrong answer, with its fault.
        case wrong(String)
    }

    /// One answer of the endpoint.
    struct Answer {
        let microseconds: Int64
        let outcome: Outcome
    }

    /// The percentage of answers that must be right and in time.
    private static let threshold = 95

    let target: String
    let concurrent: Int
    /// How long an answer may take, in ms. A later one does not count as right.
    let deadline: Int
    let answers: [Answer]

    private var good: Int {
        answers.count { answer in
            if case .right = answer.outcome { answer.microseconds <= Int64(deadline) * 1000 } else { false }
        }
    }

    /// Whether the endpoint would pass Apple's performance test, if `deadline` were the time that Apple allows.
    var isPassed: Bool { good * 100 >= answers.count * Self.threshold }

    /// The report for people.
    var lines: [String] {
        let times = answers.map(\.microseconds).sorted()
        func milliseconds(_ microseconds: Int64) -> String { "\(microseconds / 1000).\(microseconds % 1000 / 100) ms" }
        func share(_ percent: Int) -> String { milliseconds(times[(times.count * percent + 99) / 100 - 1]) }
        let kinds = Dictionary(grouping: answers, by: \.outcome).mapValues(\.count).sorted { $0.value > $1.value }
        var lines = [
            "\(answers.count) requests, \(concurrent) at once, to \(target)",
            "p50 \(share(50)), p95 \(share(95)), p99 \(share(99)), slowest \(milliseconds(times.last ?? 0))",
        ]
        for (kind, count) in kinds {
            switch kind {
            case .right(let name): lines.append("\(count) × \(name)")
            case .wrong(let reason): lines.append("\(count) × wrong: \(reason)")
            }
        }
        lines.append(
            "\(isPassed ? "PASS" : "FAIL"): \(good) of \(answers.count) right and within \(deadline) ms; Apple asks for \(Self.threshold) %"
        )
        return lines
    }
}
