package import AppStore
package import EligibilityRules
import OfferStore
import ServiceLifecycle

/// Answers the App Store's refund requests within the 12 hours that it allows (docs/refunds.md).
///
/// The store knows when each request is due. A process first moves that time into the future and then answers, so that no other
/// process answers as well. If the process crashes between the answer and its record, the request is judged and answered once
/// more.
package struct RefundResponder: Service {
    private static let maxPerRound = 400
    /// The pause after the first failed attempt, in ms.
    ///
    /// It doubles with each further failed attempt.
    private static let pause: Int64 = 30_000
    private static let maxDoublings = 6
    /// The time before the deadline at which the last attempt is made, in ms.
    private static let lastMargin: Int64 = 60_000

    private let apps: AppDirectory
    private let desk: RefundDesk
    private let serverAPIs: [String: ServerAPI]
    private let audit: AuditLog
    private let observer: any RefundObserver
    private let interval: Duration
    private let now: @Sendable () -> Instant?
    private let environment: RoundEnvironment

    /// - Parameters:
    ///   - serverAPIs: by bundle id.
    ///   - interval: time between two rounds.
    ///   - now: the time; nil while the clock is not trusted. Then no request is answered, and none expires.
    package init(
        apps: AppDirectory,
        desk: RefundDesk,
        serverAPIs: [String: ServerAPI],
        audit: AuditLog,
        observer: any RefundObserver,
        interval: Duration = .seconds(10),
        now: @escaping @Sendable () -> Instant?,
        environment: RoundEnvironment
    ) {
        self.apps = apps
        self.desk = desk
        self.serverAPIs = serverAPIs
        self.audit = audit
        self.observer = observer
        self.interval = interval
        self.now = now
        self.environment = environment
    }

    /// Answers every interval until the service stops.
    package func run() async throws {
        await environment.system.rounds {
            await answerOnce()
            return interval
        }
    }

    /// Answers once every request that is due, as far as the App Store permits.
    func answerOnce() async {
        guard now() != nil else { return }
        for app in apps.partitions where app.answers.refunds.mode != .off {
            do {
                _ = try await round(app).run(limit: Self.maxPerRound)
            } catch  where Task.isCancelled {
                return
            } catch {
                environment.failures.note("answering refund requests was cut short", .of(error), app: app.bundleID)
            }
        }
    }

    private func round(_ app: App) -> ClaimRound<RefundRecord> {
        ClaimRound<RefundRecord>(uptime: environment.system.uptime) { [desk, environment] limit in
            let now = environment.system.now()
            return try await desk.refunds.claim(
                partition: app.partition, dueAt: now, until: now.advanced(by: ClaimRound<RefundRecord>.claimTime), limit: limit)
        } ask: {
            try await answer($0, app)
        } release: { [desk] record in
            try await desk.refunds.note(record.progress, of: record)
        }
    }

    /// Answers one request. Returns false if the App Store is unavailable, limits the rate, or refuses the app's token.
    ///
    /// If it returns false, the app's other requests wait for a later round.
    private func answer(_ record: RefundRecord, _ app: App) async throws -> Bool {
        let request = record.request
        guard environment.system.now() < request.deadline else {
            try await settle(record, .expired, record.progress.detail ?? "late")
            return true
        }
        let judgement = try await desk.judge(
            request.transactionID, isAdvancedCommerce: request.isAdvancedCommerce, requestedAt: request.requestedAt, app)
        guard let answer = judgement.answer, judgement.obstacle == nil else {
            try await settle(record, .unanswered, judgement.obstacle?.rawValue, judgement)
            return true
        }
        let body = ServerAPI.consumption(answer)
        guard app.answers.refunds.mode == .send, let serverAPI = serverAPIs[app.bundleID] else {
            try await settle(record, .dryRun, nil, judgement, body)
            return true
        }
        do throws(AppStoreError) {
            try await serverAPI.sendConsumption(body, ofTransaction: request.transactionID, in: app.identity.environment)
        } catch {
            // If the service is stopping, the call was cancelled, so the error says nothing about the App Store.
            try Task.checkCancellation()
            // Only an error with one of Apple's codes is final. An answer without such a code may come from a proxy.
            if [.rejected, .notFound].contains(error.code), let apple = error.appleCode {
                let code = "\(error.code.rawValue) \(apple)"
                try await settle(record, .refused, code, judgement, body)
                return true
            }
            environment.failures.note("answering a refund request is put off", .of(error), app: app.bundleID)
            try await putOff(record, error)
            return false
        }
        try await settle(record, .answered, nil, judgement, body)
        return true
    }

    private func putOff(_ record: RefundRecord, _ error: AppStoreError) async throws {
        var progress = record.progress
        let pause = Self.pause << Int64(min(progress.attempts, Self.maxDoublings))
        let now = environment.system.now()
        let next = now.advanced(by: pause)
        progress.attempts += 1
        progress.detail = error.code.rawValue
        // If the next attempt would come after the deadline, it is made shortly before the deadline instead.
        let deadline = record.request.deadline
        let last = deadline.advanced(by: -Self.lastMargin)
        progress.dueAt = min(max(next, error.retryAt ?? next), now < last ? last : deadline)
        try await desk.refunds.note(progress, of: record)
    }

    /// Records the outcome in the audit log and then in the store, so that the store has no outcome that the audit log lacks.
    private func settle(
        _ record: RefundRecord,
        _ state: RefundState,
        _ detail: String?,
        _ judgement: RefundJudgement? = nil,
        _ body: [UInt8]? = nil
    ) async throws {
        let body = body.map { String(decoding: $0, as: UTF8.self) }
        try await audit.record(
            AuditAction(settling: state), by: .service, partition: record.partition,
            object: AuditObject(judgement?.policy, after: body), reason: detail, customerID: judgement?.customerID,
            transactionID: record.request.transactionID)
        try await desk.refunds.note(
            RefundProgress(
                state: state, detail: detail, policy: judgement?.policy, answer: body, attempts: record.progress.attempts,
                settledAt: environment.system.now()), of: record)
        observer.didSettle(state, partition: record.partition)
    }
}

extension AuditAction {
    fileprivate init(settling state: RefundState) {
        self =
            switch state {
            case .answered: .answerRefund
            case .dryRun: .rehearseRefund
            case .waiting, .unanswered, .refused, .expired: .leaveRefund
            }
    }
}
