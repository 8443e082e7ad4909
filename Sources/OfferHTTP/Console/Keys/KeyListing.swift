import OfferService

/// The keys of every app, as one reader sees them.
struct KeyListing {
    let statuses: [KeyDesk.KeyStatus]
    let keys: KeyAdministration
    let canary: KeyCanary
    /// The names of actors for people, by id.
    let names: [String: String]
    let time: ConsoleTime

    /// Returns the apps that sign with a key.
    func users(of keyID: String) -> [String] {
        statuses.filter { $0.keyID == keyID && $0.stateName == "active" }.map(\.bundleID)
    }

    /// Returns the name of an actor for people.
    func name(_ id: String) -> String { names[id] ?? id }
}
