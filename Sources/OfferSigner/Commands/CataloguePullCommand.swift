import AppStore
import AppStoreClient
import ArgumentParser
import EligibilityRules
import FoundationEssentials
import OfferService
import OfferSigning

/// Reads the products of apps from App Store Connect.
struct CataloguePullCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pull",
        abstract: "Read groups, subscriptions and offers from App Store Connect, and say what differs.",
        discussion: """
            Changes nothing, unless --output names a file: that file is then written as a whole, and nothing else. Name it in the \
            configuration as catalogue.file. The key is one for the App Store Connect API (AuthKey_….p8), not the In-App Purchase key.
            """
    )

    @OptionGroup var options: ConfigurationOptions

    @Option(help: ArgumentHelp("The key's file, AuthKey_<KEYID>.p8 as App Store Connect names it.", valueName: "file"))
    var key: String

    @Option(help: ArgumentHelp("The key's id, where the file has another name.", valueName: "id"))
    var keyID: String?

    @Option(
        help: ArgumentHelp("Issuer id of a team key. Default: the issuerId of the apps in the configuration.", valueName: "id"))
    var issuer: String?

    @Flag(help: "The key is an individual one, which has no issuer id.")
    var individual = false

    @Option(
        name: .customLong("app"),
        help: ArgumentHelp("An app; repeat for several. Default: every app of the configuration.", valueName: "bundle id"))
    var apps: [String] = []

    @Option(help: ArgumentHelp("Where to write the catalogue. Without it nothing is written.", valueName: "file"))
    var output: String?

    @Flag(help: "Read the prices of today, too: one request more a product.")
    var prices = false

    @Option(
        name: .customLong("territory"),
        help: ArgumentHelp("Only the prices of these storefronts, separated by commas. Default: all.", valueName: "USA,DEU"))
    var territories: String?

    @Flag(help: "Exit with 1 if anything differs.")
    var check = false

    @Flag(help: "Print the differences as one line of JSON.")
    var json = false

    func validate() throws {
        if individual, issuer != nil { throw ValidationError("--issuer is for team keys; an individual key has none") }
        guard let territories else { return }
        guard prices else { throw ValidationError("--territory is about --prices") }
        guard Self.codes(territories).allSatisfy(Money.isCode) else {
            throw ValidationError("--territory takes storefronts as three capital letters, such as USA,DEU")
        }
    }

    func run() async throws {
        let tree = try options.tree(isOptional: !apps.isEmpty)
        let configured = tree.root.list("apps")
        let wanted = apps.isEmpty ? configured.compactMap { $0.text("bundleId") } : apps
        guard !wanted.isEmpty else { throw CommandRefusal("the configuration has no app; name one with --app") }
        let document = try await pull(wanted, try CatalogueSource(tree, key: try signingKey(), issuer: try issuerID(configured)))
        for note in document.notes { StandardError.note("note: \(note)") }
        let differences = CatalogueDifference.all(configured: configured, connect: try document.node().list("apps"))
        if let output { try NewFile.replace(output, with: Array(document.yaml.utf8)) }
        if json { print(differences.json) } else { report(differences) }
        if let output { StandardError.note("written to \(output)") }
        if check, !differences.isEmpty { throw ExitCode.failure }
    }

    private func pull(_ wanted: [String], _ source: CatalogueSource) async throws -> CatalogueDocument {
        var found: [(bundleID: String, groups: [ConnectGroup])] = []
        for bundleID in wanted {
            guard
                let groups = try await source.api.groups(
                    ofApp: bundleID, on: source.day, pricesIn: prices ? Self.codes(territories ?? "") : nil)
            else {
                throw ConfigurationError(
                    "App Store Connect shows this key no app \(bundleID): correct the bundle id, or give the key access to the app"
                )
            }
            found.append((bundleID, groups))
        }
        return CatalogueDocument(apps: found)
    }

    private static func codes(_ text: String) -> [String] { text.split(separator: ",").map(String.init) }

    private func report(_ differences: [CatalogueDifference]) {
        if differences.isEmpty { return print("the configuration has the catalogue of App Store Connect") }
        for difference in differences { print(difference.text) }
    }

    private func signingKey() throws -> SigningKey { try KeyFile(path: key).loadAppStoreConnectKey(id: keyID) }

    /// Returns the issuer id; nil for an individual key.
    private func issuerID(_ configured: [ConfigurationNode]) throws -> String? {
        if individual { return nil }
        let wanted = configured.filter { apps.isEmpty || apps.contains($0.text("bundleId") ?? "") }
        let known = Set(wanted.compactMap { $0.text("issuerId") })
        guard let issuer = issuer ?? (known.count == 1 ? known.first : nil) else {
            throw ValidationError("give --issuer, which App Store Connect shows above the list of team keys, or --individual")
        }
        return issuer
    }
}

/// The connection of a command to App Store Connect.
struct CatalogueSource {
    let api: ConnectAPI
    /// The present day in UTC, such as `2026-01-31`.
    let day: String

    /// - Parameter issuer: the issuer id; nil for an individual key.
    init(_ tree: ConfigurationTree, key: SigningKey, issuer: String?) throws {
        let url = tree.text("appStore.connectAPI")!
        let isSecret = url.lowercased().hasPrefix("https://")
        guard isSecret || (tree.text("environment") != "production" && url.lowercased().hasPrefix("http://")) else {
            throw ConfigurationError("appStore.connectAPI: must be a URL that begins with https://")
        }
        let system = SystemEnvironment.live
        day = String(system.now().iso8601.prefix(10))
        api = ConnectAPI(
            baseURL: url, transport: HTTPClientTransport(timeout: .seconds(30)),
            system: CallEnvironment(
                now: system.now, sleep: { try await system.sleep(.milliseconds($0)) }, random: { .random(in: 0..<1) })
        ) {
            try key.sign(
                AppStoreConnectToken(issuerID: issuer, issuedAt: system.now().milliseconds / 1000, lifetime: 900))
        }
    }
}
