import Synchronization

/// The audit log as people see it, within the apps that they may see.
package final class AuditBrowser: Sendable {
    private let log: AuditLog
    private let isVerifying = Atomic(false)
    private let verdict = Mutex<AuditVerdict?>(nil)

    package init(log: AuditLog) { self.log = log }

    /// A page of rows, the latest first.
    ///
    /// A caller limited to some apps sees the rows of one of them at a time. If the caller has several, the query must name the
    /// app.
    package func page(
        _ query: AuditQuery,
        limit: Int,
        after: AuditCursor?,
        for caller: Caller
    ) async throws -> AuditPage {
        guard let apps = caller.apps else { return try await log.page(query, limit: limit, after: after) }
        var query = query
        query.bundleID = query.bundleID ?? (apps.count == 1 ? apps.first : nil)
        guard let bundleID = query.bundleID else { throw AppError.notNamed }
        guard caller.mayUse(app: bundleID) else { throw AppError.notAllowed(bundleID) }
        let page = try await log.page(query, limit: limit, after: after)
        return AuditPage(lines: page.lines.filter { $0.bundleID == bundleID }, next: page.next, leftOut: page.leftOut)
    }

    /// The latest seal, as a checkpoint; nil if nothing is sealed.
    package func head() async throws -> String? { try await log.head() }

    /// The result of the last check in this process; nil before the first.
    package var lastVerdict: AuditVerdict? { verdict.withLock { $0 } }

    /// Verifies the whole log. Only one check runs at a time, because it reads everything.
    package func verify() async throws -> AuditVerdict {
        guard !isVerifying.exchange(true, ordering: .acquiring) else {
            throw IssueError.notReady("the audit log is being verified already", of: .load)
        }
        defer { isVerifying.store(false, ordering: .releasing) }
        let found = try await log.verify()
        verdict.withLock { $0 = found }
        return found
    }
}
