import OfferService

extension [String: String] {
    /// The environment that a request names; nil: the app's own.
    var environment: App.Environment? {
        get throws(RequestFault) {
            guard let text = self["environment"] else { return nil }
            guard let environment = App.Environment(rawValue: text) else {
                throw .invalidFields([FieldFault(name: "environment", reason: "must be Production or Sandbox")])
            }
            return environment
        }
    }
}
