package import EligibilityRules

/// What App Store Connect said of the catalogues when it was asked, as it was kept in a file.
package struct CatalogueStatement: Sendable {
    /// In what the configuration says something else.
    package struct Difference: Sendable {
        /// The app, the group, the product, the offer: what it is about, in words.
        package let place: String
        /// The key; nil where the whole thing is on one side only.
        package let field: String?
        /// Nil where the configuration has nothing there.
        package let configured: String?
        /// Nil where App Store Connect has nothing there.
        package let connect: String?

        /// Takes the values as they are.
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
    /// Of which apps it tells.
    package let apps: Set<String>
    private let differences: [Difference]

    /// Takes the values as they are.
    package init(file: String, writtenAt: Instant, apps: Set<String>, differences: [Difference]) {
        self.file = file
        self.writtenAt = writtenAt
        self.apps = apps
        self.differences = differences
    }

    /// In what the configuration says something else of a product and its offers, each with what of it it is about; nil where nothing was
    /// said of the app.
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
