import AppStore
import EligibilityRules
import FoundationEssentials
import OfferService
import OfferSigning
import OfferStore

extension App {
    /// An app as configured, with its Sandbox.
    convenience init(_ configuration: AppConfiguration) {
        let sandbox = configuration.takesSandbox ? App(configuration, in: .sandbox, beside: true) : nil
        self.init(configuration, in: configuration.environment, sandbox: sandbox)
    }

    private convenience init(
        _ configuration: AppConfiguration,
        in environment: AppStoreEnvironment,
        sandbox: App? = nil,
        beside isSandbox: Bool = false
    ) {
        let policy = configuration.policy
        self.init(
            bundleID: configuration.bundleID,
            issuerID: configuration.issuerID,
            identity: AppIdentity(
                bundleID: configuration.bundleID, appAppleID: configuration.appAppleID, environment: environment),
            sharedSecret: configuration.sharedSecret,
            enforcement: configuration.enforcement,
            introductoryOverrides: configuration.introductoryOverrides,
            transfer: configuration.transfer,
            writesAppAccountToken: configuration.writesAppAccountToken,
            needsTwoPersons: configuration.twoPersonKeys,
            policy: EligibilityPolicy(
                requiresHistory: policy.requiresHistory, familySharedCountsAsOwn: policy.familySharedCountsAsOwn,
                environment: environment.purchases),
            catalogue: configuration.catalogue,
            sandbox: sandbox,
            partition: AppPartition(bundleID: configuration.bundleID, isSandbox: isSandbox)
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
