package import EligibilityRules
package import OfferStore

/// Finds what keeps a campaign from being published now. It looks at the catalogue, the running campaigns, and the text under
/// which the campaign is published at present.
package struct CampaignCheck: Sendable {
    private let apps: AppDirectory
    private let store: any CampaignStore
    private let system: SystemEnvironment

    package init(apps: AppDirectory, store: any CampaignStore, system: SystemEnvironment) {
        self.apps = apps
        self.store = store
        self.system = system
    }

    /// The findings about a stored document.
    ///
    /// - Parameter published: the text that is published at present, parts of which the document must keep; nil if there is none.
    package func findings(
        _ document: [UInt8],
        _ name: CampaignName,
        _ published: [UInt8]?
    ) async throws -> [CampaignFinding] {
        try await findings(CampaignText(document), name, published.flatMap { CampaignText($0).campaign })
    }

    /// The findings about a text, including the faults that keep it from being read.
    package func findings(
        _ text: CampaignText,
        _ name: CampaignName,
        _ published: Campaign?
    ) async throws -> [CampaignFinding] {
        let app = try apps.app(name.bundleID)
        let faults = text.faults.map { CampaignFinding.unreadable($0.name, "It \($0.reason).") }
        guard let campaign = text.legible else { return faults }
        guard campaign.isText(of: name) else {
            return faults.isEmpty
                ? [.unreadable("id", "This is the text of another campaign: \(campaign.id) of \(campaign.bundleID).")] : faults
        }
        let others = try await store.live(bundleIDs: [name.bundleID]).compactMap { CampaignText($0.document).campaign }
        let validation = CampaignValidation(
            catalogue: app.catalogue, segments: .none, others: others, published: published, now: system.now())
        let findings = validation.findings(campaign)
        guard !faults.isEmpty else { return findings + campaign.planFindings(now: system.now()) }
        // A finding about the same place as a fault may only be a consequence of the fault, and is left out.
        return faults
            + findings.filter { finding in
                finding.severity == .error && !faults.contains { Self.isAbout(finding.path, $0.path) }
            }
    }

    /// Whether a finding may be a consequence of a fault, because one of them is about a part of what the other is about.
    private static func isAbout(_ path: String, _ fault: String) -> Bool {
        func holds(_ holder: String, _ part: String) -> Bool {
            part == holder || part.hasPrefix(holder + ".") || part.hasPrefix(holder + "[")
        }
        return holds(path, fault) || holds(fault, path)
            || !fault.contains("[") && path.prefix { $0 != "." } == fault.prefix { $0 != "." }
    }
}

extension Campaign {
    /// Whether this is the text of the campaign with that name.
    ///
    /// The ids are compared exactly.
    func isText(of name: CampaignName) -> Bool {
        ExactText(id) == ExactText(name.id) && ExactText(bundleID) == ExactText(name.bundleID)
    }
}
