/// Why a decision about a signing key is refused.
package enum KeyError: Error, Equatable {
    /// No key of this id serves the app.
    case unknownKey(String, bundleID: String)
    /// The key can never sign again, because it is revoked or retired.
    case ended(String, state: String)
    /// The key signs already.
    case active(String, bundleID: String)
    /// The app has no other key that signs, and the request does not say that this is intended.
    case onlyActive(String, bundleID: String)
    /// There is no earlier key that could sign again.
    case nothingToRollBackTo(bundleID: String)
    /// The key folder cannot be read.
    case folderUnreadable
    /// Another decision was made at the same time.
    case decidedMeanwhile
    /// Another key signs, because another decision came first.
    case notActive(String, bundleID: String)
    /// Some living replicas do not have the key, or have another key under its id.
    ///
    /// The texts are the addresses of these replicas.
    case notEverywhere(String, [String])
    /// A second person is needed, but the caller and the proposer may be the same person (`AccessDescent`).
    case sameProposer(String)
    /// The decisions about the app's keys disagree with the audit log; the text says how.
    ///
    /// Until an operator has repaired that, a key can only be revoked.
    case inDoubt(bundleID: String, String)
    /// The key of this id is not the one that was staged or activated.
    case otherKey(String, fingerprint: String, recorded: String)
    /// The proposal no longer exists.
    case unknownProposal(String)
    /// The reason does not satisfy the rules for one, for example because it is too long.
    case invalidReason(FieldFault)
    /// The key cannot be staged; the text says why.
    case unusableKey(String)
    /// The service may not write to the key folder.
    case folderReadOnly(String)
}

extension KeyError: CustomStringConvertible {
    /// What is wrong and what to do about it, in a sentence.
    package var description: String {
        switch self {
        case .unknownKey(let id, let bundleID):
            "no key \(id) serves \(bundleID); put SubscriptionKey_\(id).p8 into the key folder, or correct apps in keys.yaml"
        case .ended(let id, let state): "the key \(id) is \(state) and cannot sign again; make another in App Store Connect"
        case .active(let id, let bundleID): "the key \(id) signs for \(bundleID) already"
        case .onlyActive(let id, let bundleID):
            "the key \(id) signs for \(bundleID); activate another first, or repeat this with --even-if-active"
        case .nothingToRollBackTo(let bundleID):
            "no earlier key of \(bundleID) can sign again; to roll back other apps, name them with --app"
        case .folderUnreadable:
            "the key folder cannot be read; correct it first, or, to revoke a key in any case, repeat this with --even-if-active"
        case .notActive(let id, let bundleID): "the key \(id) does not sign for \(bundleID); nothing was changed"
        case .notEverywhere(let id, let addresses):
            "the key \(id) is not loaded at \(addresses.joined(separator: ", ")); put its file into the key folder there, and try again"
        case .sameProposer(let id):
            "\(id) waits for a second person, who is not the proposer and whose access key was not made by the proposer"
        case .inDoubt(let bundleID, let fault):
            "the decisions about the keys of \(bundleID) differ from the audit log: \(fault); keep a copy of the store, run offersigner "
                + "audit verify, and restore a backup; until then a key can only be revoked"
        case .otherKey(let id, let fingerprint, let recorded):
            "the key \(id) here is not the one that was staged or activated: its fingerprint is \(fingerprint), recorded is \(recorded); put "
                + "the right file into the key folder, or, if this one is right, stage it again"
        case .unknownProposal(let id): "there is no proposal \(id) any more"
        case .unusableKey(let reason): reason
        case .invalidReason(let fault): "the \(fault.name) \(fault.reason)"
        case .folderReadOnly(let reason):
            "the service cannot write into the key folder (\(reason)); put the file there yourself, like the others"
        case .decidedMeanwhile: "another person has just decided about the keys; look at them and try again"
        }
    }
}
