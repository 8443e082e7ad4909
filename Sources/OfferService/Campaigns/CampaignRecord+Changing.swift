package import EligibilityRules
package import OfferStore

// The steps of a campaign's life as functions on values, which need neither a store nor a clock.
extension CampaignRecord {
    /// A new campaign with its first draft.
    package init(_ name: CampaignName, draft document: [UInt8], by act: CampaignAct, writers: [String] = []) {
        let draft = CampaignDraft(document: document, basedOn: 0, authors: Self.authors([act.by] + writers), saved: act)
        self.init(
            id: name.id, bundleID: name.bundleID, draft: draft, published: nil, status: CampaignStatus(.unpublished, by: act),
            testers: [], acts: CampaignActs(created: act, step: CampaignStep.save.rawValue, changed: act))
    }

    /// Whether the part of the campaign that a step concerns is still as it was in the version that the caller has seen.
    ///
    /// Writing a draft and pausing concern different parts: a campaign can be paused while others edit its draft.
    package func isAsSeen(_ seen: Int64, for step: CampaignStep) -> Bool {
        let changed: Int64 =
            switch step {
            case .save, .discard, .submit, .approve, .reject, .publish, .rollBack: versions.draft
            case .pause, .end, .archive, .unarchive: versions.standing
            // Another revision may have been published since. Resuming the campaign would let that revision run, which the caller
            // has not seen.
            case .resume: max(versions.draft, versions.standing)
            case .setTesters: versions.testers
            // A note changes nothing else, so it is always possible.
            case .note: seen
            }
        return (changed...max(changed, version)).contains(seen)
    }

    /// The campaign after a change, as its next version.
    ///
    /// Throws if the change is not possible now.
    /// No author of a text may approve it, or roll back to it. The person who does so must not be any of the authors.
    ///
    /// - Parameter areTwoPersons: whether two names of `CampaignAct.by` stand for two persons.
    package func stepped(
        _ change: CampaignChange,
        by act: CampaignAct,
        areTwoPersons: (String, String) -> Bool
    ) throws(CampaignError) -> CampaignRecord {
        let position = CampaignPosition(self)
        guard let place = position.after(change.step) else { throw .notNow(change.step, position) }
        var next = self
        switch change {
        case .save(let document, let basedOn, let writers): next.draft = try saved(document, basedOn, writers, act)
        case .discard: next.draft = nil
        case .submit: next.draft = try draftInTime().reviewed(CampaignReview(submitted: act))
        case .approve:
            next.draft = try draftInTime().approved(by: act, areTwoPersons: areTwoPersons)
        case .reject: next.draft = draft?.ruled(false, act)
        case .publish:
            next.published = try draftInTime().published(as: latest + 1, act)
            next.draft = nil
        case .pause, .resume, .end, .archive, .unarchive, .note: break
        case .rollBack(let earlier):
            guard earlier.number < latest else { throw .unknownRevision(earlier.number, latest: latest) }
            let draft = try earlier.draft(basedOn: latest, act).approved(by: act, areTwoPersons: areTwoPersons)
            next.published = try draft.published(as: latest + 1, act, copyOf: earlier.number)
        case .setTesters(let all):
            try check(all)
            next.testers = all
        }
        let number = version + 1
        next.versions.campaign = number
        if next.draft != draft || next.latest != latest { next.versions.draft = number }
        if change.step == .setTesters { next.versions.testers = number }
        if place.standing != status.standing { next.status = CampaignStatus(place.standing, by: act) }
        next.status.isArchived = place.isArchived
        if next.status != status { next.versions.standing = number }
        // Without a draft and a revision nothing is left of the earlier campaign, so this save begins a new campaign with the
        // same id.
        if change.step == .save, draft == nil, published == nil { next.acts.created = act }
        if change != .note { (next.acts.step, next.acts.changed) = (change.step.rawValue, act) }
        return next
    }

    /// The same campaign, numbered as the version right after `before`, even if several changes were made at once.
    func following(_ before: CampaignRecord) -> CampaignRecord {
        let version = before.version + 1
        var next = self
        next.versions = CampaignVersions(
            campaign: version, draft: min(versions.draft, version), standing: min(versions.standing, version),
            testers: min(versions.testers, version))
        return next
    }

    /// The entry in the campaign's activity for the step that has led to this version.
    func activity(_ step: CampaignStep, _ act: CampaignAct) -> CampaignActivity {
        let isOfDraft =
            switch step {
            case .save, .discard, .submit, .approve, .reject: true
            case .note: draft != nil
            case .publish, .rollBack, .pause, .resume, .end, .setTesters, .archive, .unarchive: false
            }
        return CampaignActivity(step: step.rawValue, act: act, revision: isOfDraft ? latest + 1 : latest)
    }

    private func saved(_ document: [UInt8], _ basedOn: Int?, _ writers: [String], _ act: CampaignAct) throws(CampaignError)
        -> CampaignDraft
    {
        if let basedOn, !(min(1, latest)...latest).contains(basedOn) { throw .unknownRevision(basedOn, latest: latest) }
        return CampaignDraft(
            document: document, basedOn: basedOn ?? draft?.basedOn ?? latest,
            authors: Self.authors((draft?.authors ?? []) + [act.by] + writers), saved: act)
    }

    /// Returns the actors without repetitions.
    private static func authors(_ actors: [String]) -> [String] {
        actors.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    /// The draft. Throws if there is none, or if a revision was published since the draft was begun.
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

    func ruled(_ isApproval: Bool, _ act: CampaignAct) -> CampaignDraft {
        reviewed(
            review.map {
                CampaignReview(submitted: $0.submitted, ruling: CampaignReview.Ruling(isApproval: isApproval, act: act))
            })
    }

    /// The revision that the draft becomes. Only this function makes revisions, so none is published without an approval.
    ///
    /// - Parameter earlier: the revision that the draft is a copy of; nil if people wrote it.
    fileprivate func published(
        as number: Int,
        _ act: CampaignAct,
        copyOf earlier: Int? = nil
    ) throws(CampaignError) -> CampaignPublication {
        guard let ruling = review?.ruling, ruling.isApproval else {
            throw .notNow(.publish, CampaignPosition(.writing, .unpublished))
        }
        return CampaignPublication(
            number: number, document: document, authors: authors, approved: ruling.act, published: act, copyOf: earlier)
    }
}

extension CampaignPublication {
    /// A draft with the same text as the revision. It is in review.
    fileprivate func draft(basedOn latest: Int, _ act: CampaignAct) -> CampaignDraft {
        CampaignDraft(
            document: document, basedOn: latest, authors: authors, saved: act, review: CampaignReview(submitted: act))
    }
}
