import AppStore
import EligibilityRules
import OfferSigning

extension App {
    /// An environment by Apple's name, as requests name it.
    package enum Environment: String, Sendable, CaseIterable {
        case production = "Production"
        case sandbox = "Sandbox"
        case xcode = "Xcode"
        case localTesting = "LocalTesting"
    }

    /// The app in the environment that a request names. If the request names none, it is the app in its own environment.
    ///
    /// Throws if the app does not accept the environment.
    package func app(in environment: Environment?) throws(AppError) -> App {
        guard let environment, environment.rawValue != environmentName else { return self }
        for app in [sandbox, xcode] {
            if let app, app.environmentName == environment.rawValue { return app }
        }
        throw .environmentNotTaken(environment.rawValue, bundleID: bundleID)
    }

    /// Returns the app itself. Throws if the service cannot know of purchases in its environment, as in Xcode.
    package func withPurchases() throws(AppError) -> App {
        guard policy.knowsPurchases else { throw .purchasesUnknown(environmentName) }
        return self
    }

    /// The app in the environment in which a purchase was made.
    ///
    /// It is the app itself if that environment is not known, or if the app does not accept it beside its own.
    func taking(_ environment: PurchaseEnvironment?) -> App {
        guard let sandbox, let environment, environment == sandbox.policy.environment else { return self }
        return sandbox
    }

    /// Reads signed data for the app, or for its Sandbox if the data names that environment.
    func reading<Value>(
        _ read: (AppIdentity) throws(SignedDataError) -> Value
    ) throws(SignedDataError) -> (app: App, value: Value) {
        do {
            return (self, try read(identity))
        } catch {
            guard error.code == .environmentMismatch, let sandbox else { throw error }
            let first = error
            do {
                return (sandbox, try read(sandbox.identity))
            } catch {
                throw error.code == .environmentMismatch ? first : error
            }
        }
    }
}
