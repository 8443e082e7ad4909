/// What is permitted in an app.
package struct AppRules: Sendable {
    package let enforcement: App.Enforcement
    package let introductoryOverrides: App.IntroductoryOverrides
    package let transfer: App.Transfer
    /// Whether the App Store receives the bindings that a backend vouches for.
    package let writesAppAccountToken: Bool
    /// Whether a second person must agree before another key signs for the app, or a key is revoked.
    package let needsTwoPersons: Bool

    package init(
        enforcement: App.Enforcement,
        introductoryOverrides: App.IntroductoryOverrides = .backend,
        transfer: App.Transfer = .backend,
        writesAppAccountToken: Bool = false,
        needsTwoPersons: Bool = false
    ) {
        self.enforcement = enforcement
        self.introductoryOverrides = introductoryOverrides
        self.transfer = transfer
        self.writesAppAccountToken = writesAppAccountToken
        self.needsTwoPersons = needsTwoPersons
    }
}
