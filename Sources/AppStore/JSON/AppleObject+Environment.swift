extension AppleObject {
    /// The field `environment`; nil for environments that nobody knows yet.
    var environment: AppStoreEnvironment? { text("environment").flatMap(AppStoreEnvironment.init) }
}
