public import OfferSigning

/// The app and the environment that signed data must belong to. Data of another app or environment is refused.
public struct AppIdentity: Hashable, Sendable {
    /// The app's bundle id.
    public let bundleID: String
    /// The app's id in the App Store; nil if the configuration does not state it.
    public let appAppleID: Int64?
    /// The environment of the purchases.
    public let environment: AppStoreEnvironment

    /// - Parameter appAppleID: the app's id in the App Store. Without it, data that must state this id is refused, such as a
    ///   notification from Production.
    public init(bundleID: String, appAppleID: Int64?, environment: AppStoreEnvironment) {
        self.bundleID = bundleID
        self.appAppleID = appAppleID
        self.environment = environment
    }

    /// Throws unless the bundle id and the environment are present and match.
    public func check(bundleID: String?, environment: AppStoreEnvironment?) throws(SignedDataError) {
        try check(bundleID: bundleID)
        try check(environment: environment)
    }

    /// Throws unless the bundle id is present and matches.
    public func check(bundleID: String?) throws(SignedDataError) {
        // The bytes are compared, because Swift's `==` also calls texts equal that only look alike: é as one character and as
        // two. To the App Store such texts are different.
        guard let bundleID, bundleID.utf8.elementsEqual(self.bundleID.utf8) else {
            throw SignedDataError(.bundleMismatch, "the data does not belong to the bundle id of this app")
        }
    }

    /// In Production, throws unless the app's id in the App Store is present and matches.
    ///
    /// In other environments it checks nothing, because their data may lack the id.
    public func check(appAppleID: Int64?) throws(SignedDataError) {
        guard environment == .production else { return }
        try checkOnly(appAppleID: appAppleID)
    }

    /// Throws, in every environment, unless the app's id in the App Store is present and matches.
    ///
    /// Use it for data that names no bundle id, because this id is then the only thing that tells apps apart.
    public func checkOnly(appAppleID: Int64?) throws(SignedDataError) {
        guard let appAppleID else {
            throw SignedDataError(.appMismatch, "the data names no app: it has no numeric appAppleId")
        }
        guard let expected = self.appAppleID else {
            throw SignedDataError(
                .appMismatch, "the configuration has no appAppleId for the app; set it")
        }
        guard appAppleID == expected else {
            throw SignedDataError(.appMismatch, "the data belongs to another app; compare appAppleId with the app's id")
        }
    }

    /// Throws unless the environment is present and matches.
    public func check(environment: AppStoreEnvironment?) throws(SignedDataError) {
        guard environment == self.environment else {
            let found = environment?.rawValue ?? "an unknown environment"
            throw SignedDataError(
                .environmentMismatch, "the data comes from \(found), but \(self.environment.rawValue) is expected")
        }
    }
}
