import AppStore
import EligibilityRules
import FoundationEssentials
import OfferService
import OfferSigning
import OfferStore

extension App {
    /// Creates an app as configured, with its Sandbox, for uses that sign nothing.
    convenience init(_ configuration: AppConfiguration) { self.init(configuration, xcodeKey: nil) }

    /// Creates an app as configured, with its Sandbox.
    ///
    /// - Parameter xcodeKey: the key that signs for StoreKit Testing in Xcode, and for nothing else; nil if there is none.
    convenience init(_ configuration: AppConfiguration, xcodeKey: SigningKey?) {
        self.init(
            configuration, in: configuration.environment,
            .own(
                sandbox: configuration.takesSandbox ? App(configuration, in: .sandbox, .sandbox) : nil,
                xcode: xcodeKey.map { App(configuration, in: .xcode, .xcode($0)) }))
    }

    private convenience init(_ configuration: AppConfiguration, in environment: AppStoreEnvironment, _ place: Place) {
        let policy = configuration.policy
        // Data from Xcode proves nothing, because a developer's own Mac signs it. Signatures for Xcode are valid nowhere else, so
        // none has to be refused.
        let isXcode = if case .xcode = place { true } else { false }
        self.init(
            identity: AppIdentity(
                bundleID: configuration.bundleID, appAppleID: configuration.appAppleID, environment: environment),
            credentials: AppCredentials(issuerID: configuration.issuerID, sharedSecret: configuration.sharedSecret),
            rules: AppRules(
                enforcement: isXcode ? .advise : configuration.enforcement,
                introductoryOverrides: configuration.introductoryOverrides, transfer: configuration.transfer,
                writesAppAccountToken: configuration.writesAppAccountToken, needsTwoPersons: configuration.twoPersonKeys),
            answers: AppStoreAnswers(
                retentionMessage: configuration.retentionMessage, refunds: isXcode ? .off : configuration.refunds),
            policy: EligibilityPolicy(
                requiresHistory: policy.requiresHistory, familySharedCountsAsOwn: policy.familySharedCountsAsOwn,
                environment: environment.purchases, knowsPurchases: !isXcode),
            catalogue: configuration.catalogue,
            place: place
        )
    }
}

extension SignedDataReader {
    /// Makes a reader that trusts the configured roots, or Apple's root if none is configured.
    init(_ configuration: ServiceConfiguration, system: SystemEnvironment) throws {
        let files = try configuration.rootFiles.map { file in
            guard let content = FileManager.default.contents(atPath: file) else {
                throw ConfigurationError("appStore.roots: \(file) cannot be read")
            }
            return Array(content)
        }
        do {
            let roots = files.isEmpty ? TrustedRoots.appleRootCAG3 : try TrustedRoots(pemOrDERFiles: files)
            self.init(verifier: SignedDataVerifier(roots: roots) { system.now().milliseconds })
        } catch {
            throw ConfigurationError("appStore.roots: \(error)")
        }
    }
}
