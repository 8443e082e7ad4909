package import EligibilityRules

/// Compares the stored campaigns, segments, proposals and endpoints with the audit events that record their changes.
///
/// Each event contains the states of its object before and after the change. For each state, the comparison counts how often
/// events lead to it, minus how often they lead away from it. The present state is the only one with a result other than 0, in
/// whatever order the events are read, so no clock is needed. An event that was lost, doubled or moved to another object leaves
/// several such states.
package struct StateComparison {
    /// The actions of the compared events.
    package static let actions = StateChange.actions

    private let functions: AuditFunctions
    private var told: [StateObject: Told] = [:]
    private var fault: AuditFault?

    /// Returns the first difference; nil for none.
    ///
    /// A row that cannot be read counts as a difference.
    ///
    /// - Parameter read: calls `take` with all events, and then `compare` with all rows.
    package static func fault(
        _ functions: AuditFunctions,
        _ read: (inout StateComparison) throws -> Void
    ) throws -> AuditFault? {
        var comparison = StateComparison(functions: functions)
        do {
            try read(&comparison)
        } catch let error as StoreError where error.code == .damaged {
            return AuditFault(.log, error.detail)
        }
        return comparison.finish()
    }

    private init(functions: AuditFunctions) { self.functions = functions }

    /// Takes an event that has one of the `actions`.
    ///
    /// Call it for all events before the first row.
    package mutating func take(_ recorded: RecordedEvent) {
        let change = StateChange(recorded.event)
        told[change.object, default: Told()].take(change, isLinked: recorded.isLinked)
    }

    /// Compares a published revision.
    ///
    /// Call it for all revisions before the first campaign.
    package mutating func compare(_ revision: CampaignPublication, of id: String, _ bundleID: String) {
        let object = StateObject(.campaign, id, of: bundleID)
        guard told[object]?.revisions.remove(ExactText(revision.auditText(functions))) == nil else { return }
        note("no event tells of revision \(revision.number) of \(object) as it is")
    }

    /// Compares a campaign with its draft, its latest revision and its testers.
    package mutating func compare(_ record: CampaignRecord) {
        compare(StateObject(.campaign, record.id, of: record.bundleID), record.auditText(functions))
    }

    /// Notes that there is a draft or a tester of a campaign that does not exist.
    package mutating func compare(strayOf id: String, _ bundleID: String) {
        note("there is a draft or a tester of \(StateObject(.campaign, id, of: bundleID)), which does not exist")
    }

    package mutating func compare(_ record: SegmentRecord) {
        compare(StateObject(.segment, record.id, of: record.bundleID), record.auditText(functions))
    }

    /// Compares a proposal about a signing key.
    package mutating func compare(_ proposal: KeyProposal) {
        compare(StateObject(.proposal, proposal.auditText(functions)), StateChange.open)
    }

    /// Compares an endpoint that receives no events.
    package mutating func compare(endpoint: String, disabledAt instant: Instant) {
        compare(StateObject(.endpoint, endpoint), EventEndpointState.auditText(disabledAt: instant, functions))
    }

    private mutating func finish() -> AuditFault? {
        for (object, told) in told.sorted(by: { "\($0.key)" < "\($1.key)" }) { note(told.difference(from: nil), object) }
        return fault
    }

    private mutating func compare(_ object: StateObject, _ state: String) {
        guard let told = told.removeValue(forKey: object) else { return note("no event tells of \(object)") }
        note(told.difference(from: state), object)
    }

    private mutating func note(_ finding: String?, _ object: StateObject) { if let finding { note("\(object) \(finding)") } }

    private mutating func note(_ finding: String) { fault = fault ?? AuditFault(.log, finding) }
}

extension StateComparison {
    /// What the audit events say about an object.
    private struct Told {
        // How many characters of a state a message quotes.
        private static let maxLength = 300

        /// How often events lead to each state, minus how often they lead away from it.
        ///
        /// The state nil means that the object does not exist, as before its first event.
        private var states: [ExactText?: Int] = [nil: 1]
        /// The published revisions for which no row was found yet.
        var revisions: Set<ExactText> = []
        private var isLinked = true

        mutating func take(_ change: StateChange, isLinked: Bool) {
            if !isLinked { self.isLinked = false }
            if let revision = change.revision { revisions.insert(ExactText(revision)) }
            count(change.before, -1)
            count(change.after, 1)
        }

        private mutating func count(_ state: String?, _ step: Int) {
            let state = state.map(ExactText.init)
            let count = states[state, default: 0] + step
            states[state] = count == 0 ? nil : count
        }

        /// How the object's row differs from its events, as the rest of a sentence that begins with the object; nil if it does
        /// not differ.
        ///
        /// - Parameter state: the state in the row; nil if there is no row.
        func difference(from state: String?) -> String? {
            guard isLinked else { return "has an event that does not belong to its chain" }
            guard states.count == 1, case (let last, 1)? = states.first else {
                return "has events that do not follow from one another"
            }
            switch (last?.string, state) {
            case (nil, nil): return nil
            case (_?, nil): return "is gone, and no event tells of that"
            case (nil, _?): return "is there, although its last event tells of its end"
            case (let told?, let state?):
                guard ExactText(told) == ExactText(state) else {
                    return
                        "is \(Self.rest(of: state, without: told)), and its last event says \(Self.rest(of: told, without: state))"
                }
                return revisions.min().map { "has lost what it published: \($0.string)" }
            }
        }

        /// The parts of a state that another one does not have, in quotation marks.
        private static func rest(of state: String, without other: String) -> String {
            let others = Set(other.split(separator: CampaignRecord.separator).map { ExactText(String($0)) })
            let rest = state.split(separator: CampaignRecord.separator).filter { !others.contains(ExactText(String($0))) }
            let text = rest.isEmpty ? state : rest.joined(separator: CampaignRecord.separator)
            return "“\(text.count > maxLength ? text.prefix(maxLength) + "…" : text)”"
        }
    }
}

/// An object whose changes audit events record.
package struct StateObject: Hashable, Sendable, CustomStringConvertible {
    package enum Kind: String, Sendable {
        case campaign, segment, endpoint, proposal
    }

    let kind: Kind
    private let id: ExactText
    private let bundleID: ExactText

    /// - Parameters:
    ///   - id: the object's id; for a proposal, its text in the audit log.
    ///   - bundleID: the app; empty for an object that belongs to none.
    package init(_ kind: Kind, _ id: String, of bundleID: String = "") {
        (self.kind, self.id, self.bundleID) = (kind, ExactText(id), ExactText(bundleID))
    }

    /// The object as a sentence names it.
    package var description: String {
        "the \(kind.rawValue) \(id.string)" + (bundleID.string.isEmpty ? "" : " of \(bundleID.string)")
    }
}

/// The change of an object that an audit event records.
///
/// A state is nil where the object does not exist.
struct StateChange {
    /// The actions of all such events.
    static let actions =
        [
            "approve", "archive", "create", "discard", "end", "note", "pause", "publish", "reject", "resume", "rollback", "save",
            "submit", "testers", "unarchive",
        ].map { "campaign.\($0)" } + ["event.disable", "event.enable"] + [agreement, proposing, withdrawal]
        + ["segment.remove", "segment.save"]
    private static let (agreement, proposing, withdrawal) = ("key.agree", "key.propose", "key.withdraw")
    /// The only state of a proposal.
    static let open = "open"

    let object: StateObject
    let before: String?
    let after: String?
    /// The revision that a campaign's state after the change names as published; nil for none.
    var revision: String? { object.kind == .campaign ? after.flatMap(CampaignRecord.revision) : nil }

    /// - Parameter event: has one of `actions`.
    init(_ event: AuditEvent) {
        let (told, app) = (event.object, event.partition?.name ?? "")
        switch event.action.prefix(while: { $0 != "." }) {
        case "campaign": object = StateObject(.campaign, told.id ?? "", of: app)
        case "segment": object = StateObject(.segment, told.id ?? "", of: app)
        case "event": object = StateObject(.endpoint, told.id ?? "")
        default:
            object = StateObject(.proposal, told.after ?? "")
            (before, after) = event.action == Self.proposing ? (nil, Self.open) : (Self.open, nil)
            return
        }
        (before, after) = (told.before, told.after)
    }
}
