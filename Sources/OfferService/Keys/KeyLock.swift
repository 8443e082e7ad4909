package import OfferSigning
package import OfferStore

/// An app for which no key signs although one was activated, with the reason.
package struct KeyLock: Equatable, Sendable {
    package let bundleID: String
    /// Why no key signs and what to do about it, in a sentence.
    package let reason: String
    /// The id under which the folder has another key than the one that was recorded; nil if the decisions themselves are in
    /// doubt.
    let strangeKeyID: String?

    /// The locks among these apps.
    ///
    /// - Parameter entries: the entries of the key folder.
    package static func all(_ entries: [KeyRing.Entry], _ bundleIDs: [String], _ decisions: KeyDecisions) -> [KeyLock] {
        bundleIDs.compactMap { bundleID in
            let active = KeyStates(of: bundleID, in: entries, decisions: decisions.all).active
            return find(in: bundleID, active: entries.first { $0.key.id == active }?.key, decisions)
        }
    }

    /// The lock of an app; nil if the app's key may sign.
    ///
    /// - Parameter active: the key that signs according to the decisions; nil if there is none.
    static func find(in bundleID: String, active: SigningKey?, _ decisions: KeyDecisions) -> KeyLock? {
        if let fault = decisions.fault(in: bundleID) {
            return KeyLock(
                bundleID: bundleID,
                reason: "no key signs for \(bundleID), because the decisions about its keys differ from the audit log: \(fault); "
                    + "keep a copy of the store, run offersigner audit verify, and restore a backup",
                strangeKeyID: nil)
        }
        guard let active, let recorded = decisions.fingerprint(of: active.id), recorded != active.fingerprint else { return nil }
        return KeyLock(
            bundleID: bundleID,
            reason:
                "no key signs for \(bundleID), because the key \(active.id) in the key folder is not the one that was staged or "
                + "activated: its fingerprint is \(active.fingerprint), recorded is \(recorded); put the file of the recorded key "
                + "there, or, if this one is right, run offersigner keys stage with its file",
            strangeKeyID: active.id)
    }
}
