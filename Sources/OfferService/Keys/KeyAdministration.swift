import EligibilityRules
import OfferSigning
package import OfferStore

/// The use cases of signing keys for people with access keys, within the apps that they may see.
package struct KeyAdministration: Sendable {
    private let desk: KeyDesk
    private let access: any AccessStore
    private let ring: CurrentKeyRing
    private let apps: AppDirectory
    private let folder: any KeyStaging

    package init(
        desk: KeyDesk,
        access: any AccessStore,
        ring: CurrentKeyRing,
        apps: AppDirectory,
        folder: any KeyStaging
    ) {
        self.desk = desk
        self.access = access
        self.ring = ring
        self.apps = apps
        self.folder = folder
    }

    private var entries: [KeyRing.Entry] { ring.inFolder ?? [] }

    /// Every key in every app that the caller may see.
    package func list(for caller: Caller) async throws(StoreError) -> [KeyDesk.KeyStatus] {
        // The statuses are computed for all apps. A key that an app still needs is not safe to revoke, even if the caller may not
        // see that app.
        try await desk.list(entries, bundleIDs: apps.bundleIDs).filter { caller.mayUse(app: $0.bundleID) }
    }

    /// One key in the apps that the caller may see.
    package func statuses(of keyID: String, for caller: Caller) async throws -> [KeyDesk.KeyStatus] {
        let statuses = try await list(for: caller).filter { $0.keyID == keyID }
        guard !statuses.isEmpty else { throw KeyError.unknownKey(keyID, bundleID: "any app that you may see") }
        return statuses
    }

    /// Whether no app can use a key any more. Apps that the visitor may not see count as well.
    package func isRevokedEverywhere(_ keyID: String) -> Bool {
        let ring = ring.current
        return ring.bundleIDs.allSatisfy { bundleID in
            ring.revokedIDs(in: bundleID).contains(keyID)
                || !ring.entries.contains { $0.key.id == keyID && $0.serves(bundleID) }
        }
    }

    /// The warnings about these keys and about the key folder.
    package func warnings(_ statuses: [KeyDesk.KeyStatus]) -> [KeyWarning] {
        KeyWarning.all(statuses, faults: ring.faults, locks: ring.locks)
    }

    /// The proposals that wait for a second person and concern only apps that the caller may use.
    package func pending(for caller: Caller) async throws(StoreError) -> [KeyChange.Pending] {
        try await desk.openProposals().map(KeyChange.Pending.init).filter { $0.bundleIDs.allSatisfy(caller.mayUse) }
    }

    /// Makes a decision about a key.
    ///
    /// If one of the apps needs two persons, this makes a proposal instead. If another person has made the same proposal, it
    /// agrees to that one. A caller at the command line decides alone.
    ///
    /// - Parameter bundleIDs: the apps; if it is empty, every app that the key serves and that the caller may use.
    package func decide(
        _ request: KeyDesk.KeyChangeRequest,
        for bundleIDs: [String],
        by caller: Caller,
        from origin: Origin? = nil,
        reason: String
    ) async throws -> KeyChange {
        if let fault = TextLimit.reason.fault(of: reason) { throw KeyError.invalidReason(fault) }
        let bundleIDs = try await scope(request, bundleIDs, caller)
        var proposal: KeyProposal?
        if !caller.hasMachineRights, bundleIDs.contains(where: { (try? apps.app($0))?.rules.needsTwoPersons == true }) {
            try await desk.check(request, for: bundleIDs, among: entries)
            switch try await propose(request, bundleIDs, caller, by: origin ?? caller.origin, reason) {
            case .left(let proposal): return .pending(KeyChange.Pending(proposal))
            case .agreed(let other): proposal = other
            }
        }
        return try await carryOut(
            request, bundleIDs, by: origin ?? caller.origin, reason: reason, agreeingTo: proposal)
    }

    /// Agrees to a proposal of another person, exactly as it was made.
    package func agree(_ id: String, by caller: Caller, from origin: Origin) async throws {
        guard let proposal = try await desk.openProposals().first(where: { $0.id == id }),
            proposal.bundleIDs.allSatisfy(caller.mayUse), let request = KeyDesk.KeyChangeRequest(proposal)
        else { throw KeyError.unknownProposal(id) }
        guard AccessDescent(try await access.accessRecords()).areTwoPersons(proposal.proposedBy, caller.id) else {
            throw KeyError.sameProposer(id)
        }
        try await desk.check(request, for: proposal.bundleIDs, among: entries)
        try await desk.endAgreed(proposal, by: origin)
        _ = try await carryOut(request, proposal.bundleIDs, by: origin, reason: "", agreeingTo: proposal)
    }

    private func carryOut(
        _ request: KeyDesk.KeyChangeRequest,
        _ bundleIDs: [String],
        by origin: Origin,
        reason: String,
        agreeingTo proposal: KeyProposal?
    ) async throws -> KeyChange {
        let made = try await desk.decide(
            request, for: bundleIDs, among: ring.inFolder, by: origin, reason: reason, agreeingTo: proposal)
        // The keys are read again, so that the decision is in force in this process before the next request. Other processes
        // follow by themselves.
        try? await ring.refresh()
        return .decided(made.map { KeyChange.Effect(keyID: $0.keyID, bundleID: $0.bundleID, state: $0.state) })
    }

    /// Withdraws a proposal that the caller may see.
    package func withdraw(_ id: String, by caller: Caller, from origin: Origin? = nil) async throws {
        guard try await pending(for: caller).contains(where: { $0.id == id }),
            let proposal = try await desk.openProposals().first(where: { $0.id == id })
        else { throw KeyError.unknownProposal(id) }
        let event = proposal.event(
            .withdrawKey, by: origin ?? caller.origin, at: desk.system.now(), reason: proposal.reason)
        guard try await desk.store.endProposal(id: id, audit: [event]) else { throw KeyError.unknownProposal(id) }
    }

    /// Puts a key into the key folder. Every process loads it from there.
    ///
    /// Throws an error that says what is wrong with the key.
    /// If the caller is limited to some apps, the key is for these apps only.
    package func stage(_ pem: SecretBytes, keyID: String, by caller: Caller, from origin: Origin? = nil) async throws {
        let origin = origin ?? caller.origin
        let mine = apps.bundleIDs.filter(caller.mayUse)
        guard let first = caller.apps?.min() else { return try await put(pem, keyID, by: origin, for: nil) }
        guard !mine.isEmpty else { throw AppError.notAllowed(first) }
        try await put(pem, keyID, by: origin, for: mine)
    }

    private func put(_ pem: SecretBytes, _ keyID: String, by origin: Origin, for bundleIDs: [String]?) async throws {
        let known = entries.map { ($0.key.fingerprint, $0.key.id) }
        let fingerprint = try await folder.stage(
            pem, keyID: keyID, unlike: Dictionary(known) { first, _ in first },
            recorded: desk.store.keyDecisions().fingerprint(of: keyID))
        try await desk.stage(keyID, fingerprint: fingerprint, for: bundleIDs, by: origin)
        try? await ring.refresh()
    }

    /// The apps that a request is for: those that it names or, if it names none, all that the key serves.
    private func scope(
        _ request: KeyDesk.KeyChangeRequest,
        _ named: [String],
        _ caller: Caller
    ) async throws -> [String] {
        guard named.isEmpty else { return try named.map { try apps.app(named: $0, for: caller).bundleID } }
        let mine = apps.bundleIDs.filter(caller.mayUse)
        guard let id = request.keyID else { return mine }
        guard let entry = entries.first(where: { $0.key.id == id }) else { return try await decided(id, mine) }
        let served = mine.filter(entry.serves)
        // A key can be rolled back only where it signs.
        guard case .rollBack = request else { return served }
        let signing = served.filter { ring.current.active(for: $0)?.id == id }
        guard !signing.isEmpty else { throw KeyError.notActive(id, bundleID: served.joined(separator: ", ")) }
        return signing
    }

    /// The apps of the decisions about a key whose file is gone. If the folder cannot be read and no decision was made, it is all
    /// apps.
    private func decided(_ keyID: String, _ mine: [String]) async throws -> [String] {
        let decisions = try await desk.store.keyDecisions().all.filter { $0.keyID == keyID }
        let apps = mine.filter { bundleID in decisions.contains { $0.bundleID == bundleID } }
        guard apps.isEmpty else { return apps }
        guard ring.inFolder == nil else { throw KeyError.unknownKey(keyID, bundleID: "any app that you may see") }
        return mine
    }

    private enum Proposing {
        case left(KeyProposal)
        case agreed(KeyProposal)
    }

    private func propose(
        _ request: KeyDesk.KeyChangeRequest,
        _ bundleIDs: [String],
        _ caller: Caller,
        by origin: Origin,
        _ reason: String
    ) async throws -> Proposing {
        let same = try await desk.openProposals().filter {
            $0.requestName == request.name && $0.keyID == request.keyID && $0.bundleIDs == bundleIDs.sorted()
        }
        let descent = AccessDescent(try await access.accessRecords())
        if let other = same.first(where: { descent.areTwoPersons($0.proposedBy, caller.id) }) {
            try await desk.endAgreed(other, by: origin)
            return .agreed(other)
        }
        if let own = same.first(where: { $0.proposedBy == caller.id }) { return .left(own) }
        if let kin = same.first { throw KeyError.sameProposer(kin.id) }
        let proposal = KeyProposal(
            id: Crypto.hexadecimal(try desk.system.randomBytes(8)), requestName: request.name, keyID: request.keyID ?? "",
            bundleIDs: bundleIDs.sorted(), proposedAt: desk.system.now(), proposedBy: caller.id, reason: reason)
        let event = proposal.event(.proposeKey, by: origin, at: proposal.proposedAt, reason: reason)
        try await desk.store.add(proposal, audit: [event])
        return .left(proposal)
    }
}

extension KeyProposal {
    /// The reason to be recorded for a decision. It consists of the proposal's reason, the proposer, and the reason of the person
    /// who agrees.
    func reason(agreedTo other: String) -> String {
        [reason, "(proposed by \(proposedBy))", other].filter { !$0.isEmpty }.joined(separator: " ")
    }
}

extension KeyDesk.KeyChangeRequest {
    /// Nil for a proposal of a kind that this release does not know.
    init?(_ proposal: KeyProposal) {
        let requests: [KeyDesk.KeyChangeRequest] = [
            .activate(proposal.keyID), .rollBack(proposal.keyID), .revoke(proposal.keyID, evenIfActive: false),
            .revoke(proposal.keyID, evenIfActive: true),
        ]
        guard let request = requests.first(where: { $0.name == proposal.requestName }) else { return nil }
        self = request
    }

    /// The name of the request in the store.
    var name: String {
        switch self {
        case .activate: "activate"
        case .rollBack: "rollback"
        case .revoke(_, let evenIfActive): evenIfActive ? "revoke-even-if-active" : "revoke"
        }
    }
}
