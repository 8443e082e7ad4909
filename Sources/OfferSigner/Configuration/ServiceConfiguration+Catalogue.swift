import EligibilityRules
import OfferService
import OfferSigning

extension ServiceConfiguration {
    /// Returns the differences of the pulled file from the configuration; nil without a file.
    static func catalogueStatement(_ tree: ConfigurationTree) throws(ConfigurationError) -> CatalogueStatement? {
        guard let file = tree.text("catalogue.file"), let status = FileStatus(path: file) else { return nil }
        let said = try CatalogueFile.apps(try TextFile.read(file, for: "catalogue.file"), source: file)
        let differences = CatalogueDifference.all(configured: tree.root.list("apps"), connect: said).map { difference in
            CatalogueStatement.Difference(
                place: difference.place, field: difference.field, configured: difference.configured, connect: difference.connect)
        }
        return CatalogueStatement(
            file: file.split(separator: "/").last.map(String.init) ?? file,
            writtenAt: Instant(milliseconds: status.modifiedAt * 1000), apps: Set(said.compactMap { $0.text("bundleId") }),
            differences: differences)
    }
}
