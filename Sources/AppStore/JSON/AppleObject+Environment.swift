extension AppleObject {
    /// The field `environment`; nil for an environment that is not recognised.
    var environment: AppStoreEnvironment? { text("environment").flatMap(AppStoreEnvironment.init) }
}
