import OfferService
import OfferSigning

/// The keys for StoreKit Testing in Xcode. None of them signs for the App Store, and no key for the App Store is among them.
struct XcodeKeys: Sendable {
    private struct Owned {
        let bundleID: String
        let key: SigningKey
    }

    private let keys: [Owned]

    static let none = XcodeKeys(keys: [])

    private init(keys: [Owned]) { self.keys = keys }

    /// Loads the configured keys, each tested like any other key.
    init(_ configuration: ServiceConfiguration) throws(ConfigurationError) {
        var (keys, problems): ([Owned], [String]) = ([], [])
        for (index, app) in configuration.apps.enumerated() {
            guard let place = app.xcodeKey else { continue }
            do throws(SigningError) {
                let key = try KeyFile(path: place.file).load(
                    id: place.id, passphrase: configuration.keys.passphrase, slots: ProcessorCount.usable)
                keys.append(Owned(bundleID: app.bundleID, key: key))
            } catch {
                let detail = error.detail.hasPrefix(place.file) ? error.detail : "\(place.file): \(error.detail)"
                problems.append("apps[\(index)].xcodeKey: \(detail) [\(error.code.rawValue)]")
            }
        }
        guard problems.isEmpty else { throw ConfigurationError(problems) }
        self.keys = keys
    }

    /// Returns the key with which an app signs for Xcode; nil if it has none.
    func key(of bundleID: String) -> SigningKey? { keys.first { $0.bundleID == bundleID }?.key }

    /// Returns why a key of the key folder cannot sign for the App Store, because it or its id is one for Xcode; nil if it can.
    func objection(to key: SigningKey) -> String? {
        for own in keys {
            if own.key.fingerprint == key.fingerprint {
                return
                    "\(key.id) is also the xcodeKey of \(own.bundleID); the key of StoreKit Testing in Xcode signs for Xcode only, "
                    + "and one that signs for the App Store never does: keep the two apart"
            }
            if own.key.id == key.id {
                return
                    "\(key.id) is also the id of the xcodeKey of \(own.bundleID), which is another key; correct apps[].xcodeKey.id"
            }
        }
        return nil
    }
}
