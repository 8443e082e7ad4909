import AppStore
import EligibilityRules
import FoundationEssentials
import OfferService
import OfferSigning

extension App {
    /// The app as configured.
    convenience init(_ configuration: AppConfiguration) {
        self.init(
            bundleID: configuration.bundleID,
            issuerID: configuration.issuerID,
            identity: AppIdentity(
                bundleID: configuration.bundleID, appAppleID: configuration.appAppleID,
                environment: configuration.environment),
            sharedSecret: configuration.sharedSecret,
            enforcement: configuration.enforcement,
            introductoryOverrides: configuration.introductoryOverrides,
            transfer: configuration.transfer,
            needsTwoPersons: configuration.twoPersonKeys,
            policy: configuration.policy,
            catalogue: configuration.catalogue
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
