import EligibilityRules
package import OfferStore

// The life of a campaign, over values: no store, no clock.
extension CampaignRecord {
    /// A new one with its first draft.
    package init(_ name: CampaignName, draft document: [UInt8], by act: CampaignAct) {
        self.init(
            id: name.id, bundleID: name.bundleID, version: 1, draftVersion: 1, standingVersion: 1, testersVersion: 1,
            created: act, draft: CampaignDraft(document: document, basedOn: 0, authors: [act.by], saved: act), published: nil,
            standing: .unpublished, stood: act, testers: [])
    }

    /// Whether what a step rests on is still as it was in a version that somebody has seen.
    ///
    /// Who writes does not collide with who pauses: a campaign can be stopped while others edit it, and their work goes on.
    package func isAsSeen(_ seen: Int64, for step: CampaignStep) -> Bool {
        let changed =
            switch step {
            case .save, .discard, .submit, .approve, .reject, .publish, .rollBack: draftVersion
            case .pause, .end: standingVersion
            // What runs then may have been published since.
            case .resume: max(draftVersion, standingVersion)
            case .setTesters: testersVersion
            }
        return (changed...max(changed, version)).contains(seen)
    }

    /// The next version, after a change. Throws if that cannot be now.
    ///
    /// - Parameter areTwoPersons: whether two names of `CampaignAct.by` stand for two persons.
    package func stepped(
        _ change: CampaignChange,
        by act: CampaignAct,
        areTwoPersons: (String, String) -> Bool
    ) throws(CampaignError) -> CampaignRecord {
        let position = CampaignPosition(self)
        guard let next = position.after(change.step) else { throw .notNow(change.step, position) }
        switch change {
        case .save(let document, let basedOn):
            return self.next(try saved(document, basedOn, act), published, next.standing, act)
        case .discard: return self.next(nil, published, next.standing, act)
        case .submit: return self.next(try draftInTime().reviewed(CampaignReview(submitted: act)), published, next.standing, act)
        case .approve:
            let draft = try draftInTime()
            if let author = draft.authors.first(where: { !areTwoPersons($0, act.by) }) { throw .ownWork(author: author) }
            return self.next(draft.ruled(true, act), published, next.standing, act)
        case .reject: return self.next(draft?.ruled(false, act), published, next.standing, act)
        case .publish: return self.next(nil, try draftInTime().published(as: latest + 1, act), next.standing, act)
        case .pause, .resume, .end: return self.next(draft, published, next.standing, act)
        case .rollBack(let earlier):
            guard earlier.number < latest else { throw .unknownRevision(earlier.number, latest: latest) }
            return self.next(draft, earlier.copied(as: latest + 1, act), next.standing, act)
        case .setTesters(let testers):
            try check(testers)
            return self.next(draft, published, next.standing, act, testers)
        }
    }

    /// As the version after another one, however many changes led here.
    func following(_ before: CampaignRecord) -> CampaignRecord {
        let version = before.version + 1
        return CampaignRecord(
            id: id, bundleID: bundleID, version: version, draftVersion: min(draftVersion, version),
            standingVersion: min(standingVersion, version), testersVersion: min(testersVersion, version), created: created,
            draft: draft, published: published, standing: standing, stood: stood, testers: testers)
    }

    private func next(
        _ draft: CampaignDraft?,
        _ published: CampaignPublication?,
        _ standing: CampaignStanding,
        _ act: CampaignAct,
        _ testers: [CampaignTester]? = nil
    ) -> CampaignRecord {
        let isRewritten = draft != self.draft || published?.number != self.published?.number
        let stands = standing == self.standing
        return CampaignRecord(
            id: id, bundleID: bundleID, version: version + 1, draftVersion: isRewritten ? version + 1 : draftVersion,
            standingVersion: stands ? standingVersion : version + 1,
            testersVersion: testers == nil ? testersVersion : version + 1, created: created, draft: draft, published: published,
            standing: standing, stood: stands ? stood : act, testers: testers ?? self.testers)
    }

    private func saved(_ document: [UInt8], _ basedOn: Int?, _ act: CampaignAct) throws(CampaignError) -> CampaignDraft {
        if let basedOn, !(min(1, latest)...latest).contains(basedOn) { throw .unknownRevision(basedOn, latest: latest) }
        let authors = draft?.authors ?? []
        return CampaignDraft(
            document: document, basedOn: basedOn ?? draft?.basedOn ?? latest,
            authors: authors.contains(act.by) ? authors : authors + [act.by], saved: act)
    }

    /// The draft, if nothing was published since it was begun.
    private func draftInTime() throws(CampaignError) -> CampaignDraft {
        guard let draft else { throw .notNow(.submit, CampaignPosition(self)) }
        guard draft.basedOn == latest else { throw .outdated(basedOn: draft.basedOn, latest: latest) }
        return draft
    }
}

extension CampaignDraft {
    fileprivate func reviewed(_ review: CampaignReview?) -> CampaignDraft {
        CampaignDraft(document: document, basedOn: basedOn, authors: authors, saved: saved, review: review)
    }

    fileprivate func ruled(_ isApproval: Bool, _ act: CampaignAct) -> CampaignDraft {
        reviewed(
            review.map {
                CampaignReview(submitted: $0.submitted, ruling: CampaignReview.Ruling(isApproval: isApproval, act: act))
            })
    }

    fileprivate func published(as number: Int, _ act: CampaignAct) throws(CampaignError) -> CampaignPublication {
        guard let ruling = review?.ruling, ruling.isApproval else {
            throw .notNow(.publish, CampaignPosition(.writing, .unpublished))
        }
        return CampaignPublication(number: number, document: document, authors: authors, approved: ruling.act, published: act)
    }
}

extension CampaignPublication {
    fileprivate func copied(as number: Int, _ act: CampaignAct) -> CampaignPublication {
        CampaignPublication(
            number: number, document: document, authors: authors, approved: approved, published: act, copyOf: self.number)
    }
}
