package import EligibilityRules

/// What App Store Connect reports about the catalogues, as `catalogue pull` has written it to a file.
package struct CatalogueStatement: Sendable {
    /// A difference between the configuration and App Store Connect.
    package struct Difference: Sendable {
        /// The app, group, product or offer concerned, in words.
        package let place: String
        /// The configuration key that differs; nil if only one side has the app, group, product or offer at all.
        package let field: String?
        /// The configured value; nil if the configuration has nothing at this place.
        package let configured: String?
        /// The value in App Store Connect; nil if it has nothing at this place.
        package let connect: String?

        package init(place: String, field: String?, configured: String?, connect: String?) {
            self.place = place
            self.field = field
            self.configured = configured
            self.connect = connect
        }
    }

    /// The file's name.
    package let file: String
    /// When the file was written.
    package let writtenAt: Instant
    /// The bundle ids of the apps that the statement covers.
    package let apps: Set<String>
    private let differences: [Difference]

    package init(file: String, writtenAt: Instant, apps: Set<String>, differences: [Difference]) {
        self.file = file
        self.writtenAt = writtenAt
        self.apps = apps
        self.differences = differences
    }

    /// The differences that concern a product and its offers, with places relative to the product; nil if the statement does not
    /// cover the app.
    package func differences(of product: SubscriptionProduct, in app: App) -> [Difference]? {
        guard apps.contains(app.bundleID) else { return nil }
        let place = "app \(app.bundleID): group \(product.groupID): product \(product.id)"
        return differences.filter { $0.place == place || $0.place.hasPrefix("\(place): ") }.map { difference in
            Difference(
                place: difference.place == place ? "" : String(difference.place.dropFirst(place.count + 2)),
                field: difference.field, configured: difference.configured, connect: difference.connect)
        }
    }
}
