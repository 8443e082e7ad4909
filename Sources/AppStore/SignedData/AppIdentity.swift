public import OfferSigning

/// The app and the environment that signed data must belong to. Data of another app or environment is refused.
public struct AppIdentity: Hashable, Sendable {
    /// The app's bundle id.
    public let bundleID: String
    /// The app's id in the App Store; nil if not configured.
    public let appAppleID: Int64?
    /// The environment of the purchases.
    public let environment: AppStoreEnvironment

    /// Takes the values as they are.
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
        // Not `==`, by which canonically equivalent texts are equal in Swift. To the App Store they are different.
        guard let bundleID, bundleID.utf8.elementsEqual(self.bundleID.utf8) else {
            throw SignedDataError(.bundleMismatch, "the data does not belong to the bundle id of this app")
        }
    }

    /// In Production, throws unless the app's id in the App Store is present and matches.
    ///
    /// Data of other environments is not checked, because it may lack the id.
    public func check(appAppleID: Int64?) throws(SignedDataError) {
        guard environment == .production else { return }
        try checkOnly(appAppleID: appAppleID)
    }

    /// Throws, in every environment, unless the app's id in the App Store is present and matches.
    ///
    /// For data that names no bundle id: this id is then the only thing that tells apps apart.
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

    /// Refuses data of another environment: throws unless the environment is present and matches.
    public func check(environment: AppStoreEnvironment?) throws(SignedDataError) {
        guard environment == self.environment else {
            let found = environment?.rawValue ?? "an unknown environment"
            throw SignedDataError(
                .environmentMismatch, "the data comes from \(found), but \(self.environment.rawValue) is expected")
        }
    }
}
