import EligibilityRules
import OfferService
import WireText

/// The editor's form, for its template.
struct EditorView {
    private static let maxVariants = 6

    let state: EditorState
    let visit: CampaignVisit
    /// The other campaigns of the app, whose placements and groups are suggested.
    var others: [ManagedCampaign] = []
    /// The people who may approve, in words; empty if the draft is approved.
    var approvers = ""
    /// The people who may write, in words.
    var writers = ""

    private var form: CampaignForm { state.form }
    private var errors: FormErrors { state.errors }
    private var isNew: Bool { state.campaign == nil }
    private var action: String { state.campaign.map { visit.path($0.name.id, "rule") } ?? "\(visit.path)/new" }

    /// The values for the template.
    var values: [String: Any] {
        var values: [String: Any] = [
            "action": action, "here": action, "seen": state.seen.map { "\($0)" } ?? "",
            "base": String(decoding: state.base.bytes, as: UTF8.self),
            "schedule": form.schedule.map { String(decoding: $0.bytes, as: UTF8.self) } ?? "",
            "locked": state.locks.paths.joined(separator: ","), "note": state.note, "hasErrors": !errors.isEmpty,
            "errors": errors.values, "firstError": errors.all.first?.id ?? "", "errorTitle": errorTitle,
            "errorCount": "\(ConsoleTime.count(errors.values.count, "thing")) to fix", "closed": closed,
            "isClosed": isClosed, "mayWrite": visit.may(.campaignDrafts) && !isClosed, "merged": state.isMerged,
            "mayDiscard": state.campaign?.draft != nil,
            "discard": state.campaign.map { visit.path($0.name.id, "discard") } ?? "", "conflict": conflict, "sentBack": sentBack,
        ]
        values.merge(head) { $1 }
        values.merge(readBack) { $1 }
        values.merge(checks) { $1 }
        values.merge(nameAndGoal) { $1 }
        values.merge(analysis) { $1 }
        values.merge(audience) { $1 }
        values.merge(variants) { $1 }
        values.merge(times) { $1 }
        values.merge(limits) { $1 }
        values.merge(reach) { $1 }
        return values
    }

    private var head: [String: Any] {
        if let campaign = state.campaign {
            return CampaignHead(visit: visit, campaign: campaign, part: .rule).values(done: state.done)
        }
        return [
            "listPath": visit.path, "title": "New campaign", "badges": [[String: Any]](), "trial": false, "hasTabs": false,
            "sub": "For \(ByteEscaping().escapeText(visit.app.bundleID)). Nothing is saved yet.", "done": false,
        ]
    }

    private var errorTitle: String {
        let things = ConsoleTime.count(errors.values.count, "thing")
        return isNew ? "\(things) to fix before this can be saved" : "\(things) to fix before you can send this to review"
    }

    /// The values of the panel that counts the audience.
    var reach: [String: Any] {
        ReachView(
            finding: state.reach, form: form, app: visit.app, time: visit.time, action: action, isClosed: isClosed,
            campaign: state.campaign?.name.id
        ).values
    }

    /// Whether the form cannot be edited.
    var isClosed: Bool { (closed as? [String: Any]) != nil }

    private var closed: Any {
        func notice(_ title: String, _ text: String, returnToDraft: Bool = false, copy: String = "") -> [String: Any] {
            ["title": title, "text": text, "takeBack": returnToDraft, "copy": FieldView.optional(copy)]
        }
        guard visit.may(.campaignDrafts) else {
            return notice("You can look at this rule, not change it", "These can: \(writers).")
        }
        // A user who merges two versions keeps writing, wherever the other version was sent.
        guard let campaign = state.campaign, state.conflict == nil, !state.isMerged else { return false }
        if campaign.position.isEnded {
            return notice(
                "The campaign has ended", "No customer gets it any more, and it cannot be changed. A new one can begin from it.",
                copy: "\(visit.path)/new?copy=\(PercentEncoding.encoded(campaign.name.id))")
        }
        switch campaign.draft?.phase {
        case .inReview:
            return notice("The draft is in review", "To change something, take it back to draft first.", returnToDraft: true)
        case .approved:
            return notice(
                "The draft is approved", "A change takes the approval away. Take it back to draft first.", returnToDraft: true)
        case nil, .some(.none), .writing, .rejected: return false
        }
    }

    /// The reviewer and the reason, if the draft was sent back; otherwise false.
    private var sentBack: Any {
        guard let draft = state.campaign?.draft, draft.phase == .rejected, let ruled = draft.ruled else { return false }
        return ["who": visit.attribution(ruled), "reason": ruled.reason] as [String: Any]
    }

    private var conflict: Any {
        guard let conflict = state.conflict else { return false }
        let words = ChangeWords(visit: visit)
        let last = conflict.now.lastChange
        func rows(_ text: CampaignText?) -> Any {
            let rows = words.rows(from: conflict.base, to: text)
            return rows.isEmpty ? false : ["rows": rows] as [String: Any]
        }
        return [
            "who": visit.name(last.act.by), "did": last.words, "theirs": rows(conflict.now.text),
            "yours": rows(conflict.mine),
        ] as [String: Any]
    }

    private var readBack: [String: Any] {
        let campaign = state.campaign?.text?.campaign
        return [
            "readBack": campaign.map { CampaignReadBack(campaign: $0, visit: visit).values } ?? false,
            "readBackNote": isNew
                ? ""
                : state.isUnsaved
                    ? "read back from the saved draft, without what you have changed since" : "read back from the saved draft",
            "noReadBack": isNew
                ? "Save the draft, and the rule is read back here in a sentence."
                : "The saved draft cannot be read back yet. Correct what is marked below, then save.",
        ]
    }

    private var checks: [String: Any] {
        LaunchChecks(
            campaign: state.campaign?.text?.campaign, findings: state.findings, words: FindingWords(form: form, zone: visit.zone),
            visit: visit,
            approvers: approvers
        ).values(title: "Before launch")
    }

    private var nameAndGoal: [String: Any] {
        let lock = state.locks["goal"]
        let metrics = [("subscribed", "Subscribed"), ("retained", "Subscribed at the end"), ("redeemed", "Redeemed the offer")]
        return [
            "name": FieldView(id: "name", label: "Name", value: form.name).values(errors),
            "idField": FieldView(
                id: "id", label: "Id", value: form.id,
                hint: isNew ? "Small letters, digits, hyphens. Empty: made of the name. It never changes." : "",
                lock: isNew ? "" : "It never changes: it decides which variant a customer gets."
            ).values(errors),
            "metric": FieldView(
                id: "metric", label: "What counts as success", value: form.metric, choices: metrics.map { ($0.0, $0.1) },
                lock: lock
            ).values(errors),
            "window": period(form.window, "window", isLocked: !lock.isEmpty),
            "expected": FieldView(
                id: "expected", label: "Expected without an offer", value: form.expected,
                hint: "How many of 100 do it anyway? May be empty.", unit: "%", mode: "decimal", lock: lock
            ).values(errors),
            "detect": FieldView(
                id: "detect", label: "Smallest difference worth knowing", value: form.detect,
                hint: "For the days that are still needed. May be empty.", unit: "points", mode: "decimal", lock: lock
            ).values(errors),
        ]
    }

    private var analysis: [String: Any] {
        let lock = state.locks["analysis"]
        // Without the method, so that a number is proposed even while the form has none.
        var undecided = form
        undecided.method = ""
        let campaign = CampaignText(json: undecided.json(bundleID: visit.app.bundleID, in: visit.zone)).campaign
        let proposal = campaign?.proposedSampleSize
        let anyDay = campaign?.sequentialSampleSize.map { " It probably takes about \(ConsoleTime.number($0))." } ?? ""
        let methods = [("sequential", "Any day, as often as you like"), ("fixed", "Once, after a number of customers set now")]
        return [
            "method": FieldView(
                id: "method", label: "Read the result", value: form.method.isEmpty ? "sequential" : form.method,
                hint:
                    "Any day is right for nearly all campaigns.\(anyDay) Once needs fewer customers, and shows no verdict before.",
                choices: methods.map { ($0.0, $0.1) }, lock: lock
            ).values(errors),
            "sampleSize": FieldView(
                id: "sampleSize", label: "After how many customers", value: form.sampleSize,
                hint: proposal.map {
                    "All variants together. \(ConsoleTime.number($0)) find the difference worth knowing four times out of five."
                }
                    ?? "All variants together; only for “once”. Fill in the two fields above and save, and a number is proposed here.",
                mode: "numeric", lock: lock
            ).values(errors),
        ]
    }

    private func period(_ fields: PeriodFields, _ id: String, isLocked: Bool) -> [String: Any] {
        [
            "number": fields.number, "unit": fields.unit, "isLocked": isLocked, "error": FieldView.optional(errors[id]),
            "units": PeriodFields.units.map { ["id": $0.0, "label": $0.1, "isChosen": $0.0 == fields.unit] as [String: Any] },
        ]
    }

    private var audience: [String: Any] {
        let view = AudienceView(
            form: form.audience, catalogue: visit.app.catalogue, errors: errors, action: action)
        return [
            "lines": view.lines, "audienceLock": FieldView.optional(state.locks["audience"]),
            "isEverybody": form.audience.audience == nil,
        ]
    }

    private var variants: [String: Any] {
        let weights = form.variants.map { variant in
            (variant.id, DecimalShift.text(variant.weight.trimmed, by: 2).flatMap { Int($0) } ?? 0)
        }
        let offers = OfferWords(catalogue: visit.app.catalogue).choices.reduce(0) { $0 + $1.offers.count }
        return [
            "split": form.variants.isEmpty ? false : SplitBar(shares: weights.map { (name: $0.0, weight: $0.1) }).values as Any,
            "variantLock": FieldView.optional(state.locks["variants"]), "variantCount": form.variants.count,
            "variants": form.variants.enumerated().map {
                VariantView(
                    variant: $1, index: $0, catalogue: visit.app.catalogue, errors: errors,
                    isRetention: form.placement == Campaign.retentionPlacement, action: action, fresh: state.fresh
                )
                .values
            },
            "variantsError": FieldView.optional(errors["variants"]), "mayAddVariant": form.variants.count < Self.maxVariants,
            "nextVariant": "\(action)#v.\(form.variants.count).id",
            "offersHint":
                "\(visit.app.bundleID) has \(ConsoleTime.count(offers, "offer")) in its catalogue. New ones are made in App Store Connect and added by your developer.",
        ]
    }

    private var times: [String: Any] {
        let placements = Set(others.compactMap { $0.text?.campaign?.placement } + ["retention"]).sorted()
        let units = [
            ("customer", "A customer of yours, by your own id"), ("appTransaction", "An Apple account"),
            ("originalTransaction", "A first purchase"),
        ]
        return [
            "moments": [
                MomentView(
                    id: "from", label: "Starts", fields: form.from, lock: state.locks["schedule.from"],
                    empty: "Empty: when it is published.", visit: visit
                ).values(errors),
                MomentView(
                    id: "until", label: "Ends", fields: form.until, lock: "", empty: "Empty: when it is ended.", visit: visit
                ).values(errors),
            ],
            "placement": FieldView(
                id: "placement", label: "Where in the app", value: form.placement,
                hint:
                    "As your app names the place. Empty: anywhere in the app. “retention” is Apple's question to those who cancel.",
                suggestions: placements, lock: state.locks["placement"]
            ).values(errors),
            "unitField": FieldView(
                id: "unit", label: "What counts as one customer", value: form.unit,
                hint: "Each always gets the same variant.", choices: units.map { ($0.0, $0.1) }, lock: state.locks["unit"]
            ).values(errors),
        ]
    }

    private var limits: [String: Any] {
        let groups = Set(others.compactMap { $0.text?.campaign?.exclusionGroup }).sorted()
        let priorities = others.compactMap { $0.text?.campaign?.priority }
        return [
            "perCustomer": FieldView(
                id: "perCustomer", label: "Per customer", value: form.perCustomer, hint: "Empty: no limit.", unit: "offers",
                mode: "numeric"
            ).values(errors),
            "per": period(form.per, "per", isLocked: false),
            "total": FieldView(
                id: "total", label: "In total", value: form.total, hint: "Then no customer gets it any more. Empty: no limit.",
                unit: "offers", mode: "numeric"
            ).values(errors),
            "enrolment": FieldView(
                id: "enrolment", label: "Let in", value: form.enrolment, hint: "You can raise this later, but not lower it.",
                unit: "% of them", mode: "decimal"
            ).values(errors),
            "holdout": FieldView(
                id: "holdout", label: "Hold out", value: form.holdout,
                hint: "They never get this campaign, and show its long-term effect.", unit: "%", mode: "decimal",
                lock: state.locks["holdout"]
            ).values(errors),
            "exclusionGroup": FieldView(
                id: "exclusionGroup", label: "Never together with", value: form.exclusionGroup,
                hint: "The name of a group. No customer gets two campaigns of one group.", suggestions: groups,
                lock: state.locks["exclusionGroup"]
            ).values(errors),
            "priority": FieldView(
                id: "priority", label: "Priority", value: form.priority,
                hint: "The highest decides first."
                    + (priorities.isEmpty ? "" : " Others have \(priorities.min()!) to \(priorities.max()!)."),
                mode: "numeric"
            ).values(errors),
        ]
    }
}
