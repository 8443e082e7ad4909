import OfferService

/// The result of one readiness check.
struct ReadinessFinding {
    let name: String
    let isOK: Bool
    /// A detail, or why the service is not ready.
    let detail: String

    /// Runs every check, one after the other.
    ///
    /// - Parameter onFailure: receives the error of each check that fails.
    static func all(of checks: [ReadinessCheck], onFailure: (any Error) -> Void = { _ in }) async -> [ReadinessFinding] {
        var findings: [ReadinessFinding] = []
        for check in checks {
            do {
                findings.append(ReadinessFinding(name: check.name, isOK: true, detail: try await check.run()))
            } catch {
                onFailure(error)
                findings.append(ReadinessFinding(name: check.name, isOK: false, detail: Problem(error).detail))
            }
        }
        return findings
    }
}
