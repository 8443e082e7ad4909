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
    /// - Parameter xcodeKey: signs in Xcode, and only there; nil: nothing signs there.
    convenience init(_ configuration: AppConfiguration, xcodeKey: SigningKey?) {
        self.init(
            configuration, in: configuration.environment,
            sandbox: configuration.takesSandbox ? App(configuration, in: .sandbox, additionalEnvironment: .sandbox) : nil,
            xcode: xcodeKey.map { App(configuration, in: .xcode, additionalEnvironment: .xcode, ownKey: $0) })
    }

    private convenience init(
        _ configuration: AppConfiguration,
        in environment: AppStoreEnvironment,
        sandbox: App? = nil,
        xcode: App? = nil,
        additionalEnvironment: AppPartition.AdditionalEnvironment? = nil,
        ownKey: SigningKey? = nil
    ) {
        let policy = configuration.policy
        // Only a developer's own Mac vouches for what it signs, and signatures for it are valid nowhere else.
        let isXcode = additionalEnvironment == .xcode
        self.init(
            bundleID: configuration.bundleID,
            issuerID: configuration.issuerID,
            identity: AppIdentity(
                bundleID: configuration.bundleID, appAppleID: configuration.appAppleID, environment: environment),
            sharedSecret: configuration.sharedSecret,
            enforcement: isXcode ? .advise : configuration.enforcement,
            introductoryOverrides: configuration.introductoryOverrides,
            transfer: configuration.transfer,
            writesAppAccountToken: configuration.writesAppAccountToken,
            needsTwoPersons: configuration.twoPersonKeys,
            retentionMessage: configuration.retentionMessage,
            refunds: isXcode ? .off : configuration.refunds,
            policy: EligibilityPolicy(
                requiresHistory: policy.requiresHistory, familySharedCountsAsOwn: policy.familySharedCountsAsOwn,
                environment: environment.purchases, knowsPurchases: !isXcode),
            catalogue: configuration.catalogue,
            sandbox: sandbox,
            xcode: xcode,
            additionalEnvironment: additionalEnvironment,
            ownKey: ownKey
        )
    }
}

extension SignedDataReader {
    /// Reads signed data under the configured roots, or under Apple's.
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
