public import EligibilityRules

/// All decisions about signing keys, compared with the audit events that record them.
///
/// The key ring is made from this type only, so it never rests on decisions that were not compared.
public struct KeyDecisions: Equatable, Sendable {
    package static let none = KeyDecisions([], [])
    /// The actions of events that record decisions.
    package static let actions = ["key.activate", "key.load", "key.revoke", "key.rollback", "key.stage"]

    /// The decisions, the oldest first.
    public let all: [KeyDecision]
    /// The number of the last decision; 0 for none.
    package let last: Int
    /// How decisions differ from their events, by bundle id; under `KeyDecision.everyApp`, what concerns all apps.
    private var faults: [String: AuditFault]

    /// Compares decisions with their events, one to one.
    ///
    /// - Parameters:
    ///   - rows: in the order of their numbers.
    ///   - events: those with `actions`, the oldest first.
    package init(_ rows: [(number: Int64, decision: KeyDecision)], _ events: [RecordedEvent]) {
        all = rows.map(\.decision)
        last = rows.last.map { Int($0.number) } ?? 0
        var comparison = Comparison(events)
        var expected: Int64 = 1
        for (number, decision) in rows {
            if number > expected { comparison.miss(expected) }
            comparison.compare(decision, number)
            expected = max(expected, number) &+ 1
        }
        faults = comparison.finish()
    }

    /// How the decisions of an app differ from their events; nil if they do not.
    package func fault(in bundleID: String) -> AuditFault? { faults[KeyDecision.everyApp] ?? faults[bundleID] }

    /// The first difference of all; nil for none.
    package var fault: AuditFault? { faults.min { $0.key < $1.key }?.value }

    /// Whether nothing was decided for any app.
    package var areOfNoApp: Bool { all.allSatisfy { $0.bundleID == KeyDecision.everyApp } }

    /// The fingerprint that was recorded last for a key; nil for none.
    package func fingerprint(of keyID: String) -> String? { all.last { $0.keyID == keyID && $0.fingerprint != nil }?.fingerprint }

    /// Returns the same decisions. An app gets a fault if decisions about its keys are gone that this process has known.
    ///
    /// Decisions are only ever added, so a missing one was removed from the database.
    package func continuing(_ earlier: KeyDecisions) -> KeyDecisions {
        guard !all.starts(with: earlier.all) else { return self }
        var result = self
        for lost in Set(earlier.all.filter { !all.contains($0) }.map(\.bundleID)) {
            result.faults[lost] =
                result.faults[lost] ?? AuditFault(.log, "decisions that were in force are gone from key_decision")
        }
        if result.faults.isEmpty {
            result.faults[KeyDecision.everyApp] = AuditFault(
                .log, "the decisions in key_decision are in another order than before")
        }
        return result
    }
}

extension KeyDecisions {
    /// The state of a comparison: by the number of the decision, the events for which no row of the table was found yet.
    private struct Comparison {
        private var told: [Int64: RecordedEvent] = [:]
        private var faults: [String: AuditFault] = [:]

        init(_ events: [RecordedEvent]) {
            var unnumbered: Int64 = 0
            for recorded in events {
                let number = KeyDecision.read(recorded.event.object.after ?? "").number
                // In earlier builds, staging a key for every app was not stored as a decision.
                guard number != nil || recorded.event.partition != nil else { continue }
                if number == nil { unnumbered += 1 }
                let place = number ?? unnumbered
                if !recorded.isLinked { note("the event of decision \(place) does not belong to its chain", recorded.event) }
                if let twin = told.updateValue(recorded, forKey: place) {
                    note("two events tell of decision \(place)", twin.event)
                    note("two events tell of decision \(place)", recorded.event)
                }
            }
        }

        mutating func compare(_ decision: KeyDecision, _ number: Int64) {
            let name = "decision \(number), that the key \(decision.keyID) is \(decision.state)"
            guard let recorded = told.removeValue(forKey: number) else {
                return note("no event tells of \(name)", in: decision.bundleID)
            }
            guard !decision.isRecorded(by: recorded.event, number) else { return }
            note("\(name), differs from its event", in: decision.bundleID)
            note("an event tells of another decision \(number) than key_decision has", recorded.event)
        }

        /// Notes that the table has no decision with this number, although it has one with a higher number.
        mutating func miss(_ number: Int64) {
            guard told[number] == nil else { return }
            note("decision \(number) is gone, with its event", in: KeyDecision.everyApp)
        }

        mutating func finish() -> [String: AuditFault] {
            for (number, recorded) in told.sorted(by: { $0.key < $1.key }) {
                note("an event tells of decision \(number), and key_decision has not that one", recorded.event)
            }
            return faults
        }

        private mutating func note(_ finding: String, _ event: AuditEvent) {
            note(finding, in: event.partition?.bundleID ?? KeyDecision.everyApp)
        }

        private mutating func note(_ finding: String, in bundleID: String) {
            faults[bundleID] =
                faults[bundleID]
                ?? AuditFault(.log, bundleID == KeyDecision.everyApp ? finding : "\(finding) (\(bundleID))")
        }
    }
}

extension KeyDecision {
    /// Whether an event has recorded this very decision.
    fileprivate func isRecorded(by event: AuditEvent, _ number: Int64) -> Bool {
        let after = event.object.after ?? ""
        let own = KeyDecision.read(after).number == nil ? state : object(number: Int(number)).after ?? ""
        let actor = decidedBy == KeyDecision.firstStart ? "service" : decidedBy
        let texts: [String] = [keyID, bundleID, own, actor, reason]
        let told: [String] = [event.object.id ?? "", event.partition?.name ?? "", after, event.actor, event.reason ?? ""]
        return zip(texts, told).allSatisfy { ExactText($0) == ExactText($1) } && decidedAt == event.at
    }
}

/// A decision about a signing key in one app. The latest decision applies, unless an earlier one has revoked the key.
public struct KeyDecision: Equatable, Sendable {
    /// The state of a key that must not be used again. The ledger refuses all signatures made with it.
    package static let revoked = "revoked"
    /// Stands for a bundle id in a decision that concerns the key alone, such as its staging for every app.
    package static let everyApp = ""
    /// The actor of the decision that records which key signs at the first start.
    package static let firstStart = "first-start"

    /// Apple's key id.
    public let keyID: String
    /// The app's bundle id; `everyApp` if it names none.
    public let bundleID: String
    /// The name of the state that the decision puts the key in.
    public let state: String
    /// When the decision was made.
    public let decidedAt: Instant
    /// The actor: an access key's id, `command-line`, or `firstStart`.
    public let decidedBy: String
    /// The reason, in the actor's words.
    public let reason: String
    /// SHA-256 of the public key that was decided about; nil if its file could not be read.
    public let fingerprint: String?

    /// Stores the given values without checking them.
    public init(
        keyID: String,
        bundleID: String,
        state: String,
        decidedAt: Instant,
        decidedBy: String,
        reason: String,
        fingerprint: String? = nil
    ) {
        self.keyID = keyID
        self.bundleID = bundleID
        self.state = state
        self.decidedAt = decidedAt
        self.decidedBy = decidedBy
        self.reason = reason
        self.fingerprint = fingerprint
    }

    /// The object of the audit event that records the decision.
    ///
    /// - Parameters:
    ///   - number: the decision's place among all decisions, from 1. As events contain it, decisions that are put into another
    ///     order or copied do not match their events.
    ///   - before: the state of the key before; nil if it had none.
    package func object(number: Int, before: String? = nil) -> AuditObject {
        AuditObject(
            keyID, before: before,
            after: "\(state), decision \(number)" + (fingerprint.map { ", fingerprint \($0)" } ?? ""))
    }

    /// Reads the state and the number from the text that `object` makes; the number is nil in events of earlier builds.
    package static func read(_ after: String) -> (state: Substring, number: Int64?) {
        let parts = after.split(separator: ", ", omittingEmptySubsequences: false)
        let number = parts.dropFirst().first.flatMap { $0.hasPrefix("decision ") ? Int64($0.dropFirst(9)) : nil }
        return (parts[0], number)
    }
}
