package import EligibilityRules
package import Foundation
package import OfferStore

extension CampaignAct {
    /// Of a caller, at some time.
    package static func sample(_ milliseconds: Int64 = 1, by: String = "author", _ reason: String = "für Tests") -> CampaignAct {
        CampaignAct(at: Instant(milliseconds: milliseconds), by: by, reason: reason)
    }
}

extension CampaignPublication {
    /// A revision with something in every field.
    package static func sample(_ number: Int, document: [UInt8] = [0x7B, 0, 0xFF], copyOf: Int? = nil) -> CampaignPublication {
        CampaignPublication(
            number: number, document: document, authors: ["author", "second"], approved: .sample(5, by: "approver"),
            published: .sample(6, by: "publisher"), copyOf: copyOf)
    }
}

extension CampaignRecord {
    /// A new one with a draft.
    package static func sample(
        _ id: String = "spring-winback",
        of bundleID: String = "com.example.app",
        draft: CampaignDraft? = .sample(),
        published: CampaignPublication? = nil,
        standing: CampaignStanding = .unpublished,
        isArchived: Bool = false,
        testers: [CampaignTester] = []
    ) -> CampaignRecord {
        CampaignRecord(
            id: id, bundleID: bundleID, draft: draft, published: published,
            status: CampaignStatus(standing, by: .sample(2), isArchived: isArchived), testers: testers,
            acts: CampaignActs(created: .sample(by: "maker", "new"), step: "save", changed: .sample(2)))
    }

    /// The next version: of the draft, of what is published, or of the standing.
    package func next(
        created: CampaignAct? = nil,
        draft: CampaignDraft? = nil,
        published: CampaignPublication? = nil,
        standing: CampaignStanding? = nil,
        isArchived: Bool? = nil,
        testers: [CampaignTester]? = nil
    ) -> CampaignRecord {
        var next = self
        next.versions.campaign = version + 1
        if standing == nil { next.versions.draft = version + 1 } else { next.versions.standing = version + 1 }
        if testers != nil { next.versions.testers = version + 1 }
        next.draft = draft
        next.published = published ?? self.published
        if let standing { next.status = CampaignStatus(standing, by: .sample(version, by: "stander")) }
        next.status.isArchived = isArchived ?? status.isArchived
        next.testers = testers ?? self.testers
        next.acts = CampaignActs(
            created: created ?? acts.created, step: "step \(version)", changed: .sample(version, by: "changer"))
        return next
    }
}

extension CampaignDraft {
    /// With a document of its own.
    package static func sample(
        _ document: [UInt8] = [0x7B, 0x7D],
        basedOn: Int = 0,
        authors: [String] = ["author"],
        review: CampaignReview? = nil
    ) -> CampaignDraft {
        CampaignDraft(document: document, basedOn: basedOn, authors: authors, saved: .sample(3), review: review)
    }
}

extension Exposure {
    /// One with something in every field but the nonce.
    package static func sample(
        _ unit: String = "kunde-ä",
        variant: String? = "half",
        of campaign: String = "spring-winback",
        _ partition: AppPartition = "com.example.app",
        revision: Int = 1,
        kind: BucketingUnit = .customer,
        at milliseconds: Int64 = 1,
        storefront: String? = "USA",
        nonce: UUID? = nil,
        isRehearsal: Bool = false,
        group: String? = nil,
        replacing: String? = nil
    ) -> Exposure {
        Exposure(
            arm: ExposureArm(partition: partition, campaign: campaign, revision: revision, variant: variant, unitKind: kind),
            unit: unit, at: Instant(milliseconds: milliseconds),
            source: ExposureSource(caller: "0123456789abcdef", storefront: storefront, appVersion: "2.10"), nonce: nonce,
            isRehearsal: isRehearsal, hold: group.map { ExposureHold(group: $0, replacing: replacing) })
    }
}
