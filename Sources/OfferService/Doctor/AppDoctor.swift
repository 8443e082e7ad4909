package import AppStore
import EligibilityRules
import OfferSigning
package import OfferStore

/// Examines the integration of an app, as far as this service and the App Store can see it.
package struct AppDoctor: Sendable {
    private static let step: Duration = .milliseconds(500)

    private let app: App
    private let serverAPI: ServerAPI?
    private let activeKeyID: String?
    private let lock: KeyLock?
    private let histories: any HistoryStore
    private let reader: SignedDataReader
    private let system: SystemEnvironment
    private let wait: Duration

    /// - Parameters:
    ///   - serverAPI: the App Store Server API; nil for an app without issuer id.
    ///   - lock: why no key may sign for the app; nil if one may.
    ///   - wait: how long to wait for a test notification.
    package init(
        _ app: App,
        serverAPI: ServerAPI?,
        activeKeyID: String?,
        lock: KeyLock? = nil,
        histories: any HistoryStore,
        reader: SignedDataReader,
        system: SystemEnvironment,
        wait: Duration
    ) {
        self.app = app
        self.serverAPI = serverAPI
        self.activeKeyID = activeKeyID
        self.lock = lock
        self.histories = histories
        self.reader = reader
        self.system = system
        self.wait = wait
    }

    /// Examines everything, in the order of a first integration.
    package func examine() async throws -> [DoctorFinding] {
        var findings = [key]
        if let serverAPI, let activeKeyID, let issuerID = app.credentials.issuerID, !app.identity.environment.isLocal {
            let diagnosis = await ask(serverAPI, keyID: activeKeyID, issuerID)
            findings.append(diagnosis.finding)
            findings.append(try await notifications(serverAPI, after: diagnosis))
        } else {
            findings.append(unasked)
        }
        return findings + (try await purchases())
    }

    private var key: DoctorFinding {
        if let lock { return DoctorFinding("key", .problem, lock.reason) }
        guard let activeKeyID else {
            return DoctorFinding(
                "key", .problem, "no key signs for it",
                remedy:
                    "Put SubscriptionKey_<ID>.p8, the In-App Purchase key from App Store Connect, into keys.directory, and run offersigner keys activate."
            )
        }
        return DoctorFinding("key", .good, "signs with \(activeKeyID)")
    }

    private var unasked: DoctorFinding {
        if app.identity.environment.isLocal {
            return DoctorFinding("server-api", .skipped, "there is none for \(app.environmentName)")
        }
        guard app.credentials.issuerID == nil else {
            return DoctorFinding("server-api", .skipped, "not asked: no key signs its token")
        }
        return DoctorFinding(
            "server-api", .warning, "there is no issuerId: no JWS, no refresh, no polling, no fetching of missed notifications",
            remedy: "Set issuerId of the app: App Store Connect, Users and Access, Integrations, In-App Purchase, above the keys."
        )
    }

    private func ask(_ serverAPI: ServerAPI, keyID: String, _ issuerID: String) async -> ServerAPIDiagnosis {
        func error(in environment: AppStoreEnvironment) async -> AppStoreError? {
            do {
                try await serverAPI.knock(in: environment)
                return nil
            } catch {
                return error
            }
        }
        return ServerAPIDiagnosis(
            bundleID: app.bundleID, keyID: keyID, issuerID: issuerID, environment: app.identity.environment,
            takesSandbox: app.sandbox != nil, wasReleased: await serverAPI.wasReleased,
            answers: (await error(in: .production), await error(in: .sandbox)), now: system.now())
    }

    private func notifications(_ serverAPI: ServerAPI, after diagnosis: ServerAPIDiagnosis) async throws -> DoctorFinding {
        if diagnosis.isNotReleased {
            return DoctorFinding("notifications", .skipped, "not asked: Production sends none before the first release")
        }
        guard diagnosis.finding.state == .good else {
            return DoctorFinding("notifications", .skipped, "not asked: solve what server-api says first")
        }
        let (environment, url) = (app.identity.environment, "https://HOST/v1/appstore/notifications/\(app.bundleID)")
        do throws(AppStoreError) {
            let token = try await serverAPI.requestTestNotification(in: environment)
            var notification: TestNotification?
            var hasArrived = false
            let end = system.uptime() + wait.components.seconds * 1000
            repeat {
                notification = try await serverAPI.testNotification(token, in: environment) ?? notification
                hasArrived = await isStored(notification)
                if !hasArrived, notification?.sendAttemptResult != "SUCCESS" { try? await system.sleep(Self.step) }
            } while notification == nil && system.uptime() < end
            return NotificationDiagnosis.finding(notification, hasArrived: hasArrived, url: url)
        } catch {
            return NotificationDiagnosis.finding(error, url: url)
        }
    }

    private func isStored(_ notification: TestNotification?) async -> Bool {
        guard let notification,
            let read = try? reader.notification(notification.signedPayload, for: app.identity)
        else { return false }
        let key = Array(read.notificationUUID.utf8)
        return (try? await histories.hasNotification(key: key, partition: app.partition)) ?? false
    }

    private func purchases() async throws(StoreError) -> [DoctorFinding] {
        let seen = try await histories.seenGroups(partition: app.partition)
        guard !seen.isEmpty else {
            return [
                DoctorFinding(
                    "histories", .warning, "no customer's purchase is known",
                    remedy:
                        "Every customer counts as new. Import what you have (offersigner history import), let notifications come, and send signedTransactions or transactionId with requests."
                )
            ]
        }
        var findings = [DoctorFinding("histories", .good, "purchases of \(seen.count) products are known")]
        for difference in GroupDirectory(catalogue: app.catalogue).note(seen) {
            findings.append(
                DoctorFinding(
                    "catalogue", .warning,
                    "\(difference.productID) is in group \(difference.catalogueGroupID) here, and in \(difference.groupID) in the App Store, whose group counts",
                    remedy: "Correct the catalogue."))
        }
        let unknown = seen.keys.map(\.string).filter { app.catalogue.product($0) == nil }.sorted()
        if !unknown.isEmpty {
            findings.append(
                DoctorFinding(
                    "catalogue", .warning,
                    "customers have products that are not in the catalogue: \(unknown.joined(separator: ", "))",
                    remedy: "Add those that are still sold."))
        }
        return findings
    }
}
