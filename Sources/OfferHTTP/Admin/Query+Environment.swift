import OfferService

extension [String: String] {
    /// In which environment a request is about the app; nil for its own.
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
