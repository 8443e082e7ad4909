/// Why a decision about a signing key is not taken.
package enum KeyError: Error, Equatable {
    /// No key of this id serves the app.
    case unknownKey(String, bundleID: String)
    /// Nothing can be signed with it ever again.
    case ended(String, state: String)
    /// It signs already.
    case active(String, bundleID: String)
    /// It is the one that signs, and without it the app has none.
    case onlyActive(String, bundleID: String)
    /// No key signed before the present one that could sign again.
    case nothingToRollBackTo(bundleID: String)
    /// It cannot be seen which keys there are.
    case folderUnreadable
    /// Others decided at the same time.
    case decidedMeanwhile
    /// It is another one that signs: somebody else has decided before.
    case notActive(String, bundleID: String)
    /// Replicas that live have not got the key, or another one by its id; their addresses.
    case notEverywhere(String, [String])
    /// A second person is needed, and this is the one who proposed it, or one whose access key comes from that person.
    case sameProposer(String)
    /// There is no such proposal any more.
    case unknownProposal(String)
    /// A key cannot be staged; in the words of what reads it.
    case unusableKey(String)
    /// The service may not write into the key folder.
    case folderReadOnly(String)
}

extension KeyError: CustomStringConvertible {
    /// A sentence with a remedy.
    package var description: String {
        switch self {
        case .unknownKey(let id, let bundleID):
            "no key \(id) serves \(bundleID); put SubscriptionKey_\(id).p8 into the key folder, or correct apps in keys.yaml"
        case .ended(let id, let state): "the key \(id) is \(state) and cannot sign again; make another in App Store Connect"
        case .active(let id, let bundleID): "the key \(id) signs for \(bundleID) already"
        case .onlyActive(let id, let bundleID):
            "the key \(id) is the one that signs for \(bundleID); activate another first, or repeat this with --even-if-active"
        case .nothingToRollBackTo(let bundleID):
            "no earlier key of \(bundleID) could sign again; if that was for other apps, name them with --app"
        case .folderUnreadable:
            "the key folder cannot be read; put it right first, or, to revoke a key in any case, repeat this with --even-if-active"
        case .notActive(let id, let bundleID): "the key \(id) is not the one that signs for \(bundleID); nothing was changed"
        case .notEverywhere(let id, let addresses):
            "the key \(id) is not loaded at \(addresses.joined(separator: ", ")); put its file into the key folder there, and try again"
        case .sameProposer(let id):
            "\(id) waits for a second person: neither the one who proposed it nor somebody whose access key comes from that person"
        case .unknownProposal(let id): "there is no proposal \(id) any more"
        case .unusableKey(let reason): reason
        case .folderReadOnly(let reason):
            "the service cannot write into the key folder (\(reason)); put the file there as you put the others there"
        case .decidedMeanwhile: "somebody else has just decided about the keys; look at them and try again"
        }
    }
}
