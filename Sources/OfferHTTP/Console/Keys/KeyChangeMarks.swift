import OfferService

/// The consequences of a change to a signing key, which the page shows before the user confirms.
enum KeyChangeMarks {
    /// - Parameters:
    ///   - status: the key's state in the app that the change is for.
    ///   - statuses: the states of every key in every app.
    static func all(
        _ action: KeyChangePages.Action,
        _ status: KeyDesk.KeyStatus,
        among statuses: [KeyDesk.KeyStatus],
        needsTwo: Bool
    ) -> [MarkView] {
        let marks =
            switch action {
            case .activate: activation(status, among: statuses)
            case .rollback:
                [
                    MarkView(
                        tone: "good", heading: "At once: the key before it signs again",
                        text: "What this key has signed stays valid.")
                ]
            case .revoke: revocation(status) + elsewhere(status, among: statuses)
            }
        return needsTwo ? marks + [secondPerson(status)] : marks
    }

    private static func activation(_ status: KeyDesk.KeyStatus, among statuses: [KeyDesk.KeyStatus]) -> [MarkView] {
        let signs = MarkView(
            tone: "good", heading: "At once: this key signs for \(status.bundleID), on every replica",
            text: "No request fails, and no restart is needed.")
        let active = statuses.first {
            $0.bundleID == status.bundleID && $0.keyID != status.keyID && $0.stateName == "active"
        }
        guard let active else { return [signs] }
        return [
            signs,
            MarkView(
                tone: "warn", heading: "\(active.keyID) retires",
                text:
                    "It signs nothing new. Its last offers can be redeemed for 24 h: leave it in App Store Connect until this page says that it is safe to revoke."
            ),
        ]
    }

    private static func revocation(_ status: KeyDesk.KeyStatus) -> [MarkView] {
        var marks = [
            MarkView(
                tone: "bad", heading: "At once: this key never signs for \(status.bundleID) again, on every replica",
                text: "This cannot be undone, also not by a roll back.")
        ]
        if status.signatures > 0 {
            marks.append(
                MarkView(
                    tone: "warn",
                    heading:
                        "Up to \(ConsoleTime.count(status.signatures, "offer")) that it signed in the last 24 h stay valid at Apple",
                    text:
                        "Revoking here does not revoke at Apple. If the key leaked, also revoke it in App Store Connect today. These offers then fail in the app, and the app must ask for a new signature."
                ))
        }
        if status.stateName == "active" {
            marks.append(
                MarkView(
                    tone: "good", heading: "No gap, if another key takes over in the same step",
                    text:
                        "Without one, every signature request for \(status.bundleID) gets “not ready” (503) until you activate a key."
                ))
        }
        return marks
    }

    /// Returns the warning that other apps still sign with the key, because a revocation is for one app only.
    ///
    /// Empty if no other app does.
    private static func elsewhere(_ status: KeyDesk.KeyStatus, among statuses: [KeyDesk.KeyStatus]) -> [MarkView] {
        let others = statuses.filter {
            $0.keyID == status.keyID && $0.bundleID != status.bundleID && $0.stateName == "active"
        }
        guard !others.isEmpty else { return [] }
        let apps = others.map(\.bundleID).joined(separator: ", ")
        return [
            MarkView(
                tone: "bad", heading: "\(apps) still sign\(others.count == 1 ? "s" : "") with this key",
                text: "This page revokes it for \(status.bundleID) only. If it leaked, revoke it there, too.")
        ]
    }

    private static func secondPerson(_ status: KeyDesk.KeyStatus) -> MarkView {
        MarkView(
            tone: "info", heading: "A second person confirms",
            text:
                "\(status.bundleID) has the two-person rule on. Another person with the role security or admin can confirm within 24 hours. Until then nothing changes."
        )
    }
}
