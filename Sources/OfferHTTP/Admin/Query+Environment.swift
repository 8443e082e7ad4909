import OfferService

extension [String: String] {
    /// The environment that the query names; nil if it names none, which means the app's own.
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
