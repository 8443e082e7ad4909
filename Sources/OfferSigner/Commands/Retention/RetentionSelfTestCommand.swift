import AppStore
import ArgumentParser
import FoundationEssentials
import OfferService
import OfferSigning
import WireText

/// Runs Apple's performance test from this machine.
struct RetentionSelfTestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "self-test",
        abstract: "Ask a running instance as Apple's performance test does, and say whether it would pass.",
        discussion: """
            The requests are signed with certificates of your own, which scripts/retention-test-chain makes: the instance has to trust \
            their root (appStore.roots), and so must not be the one in production. Exits with 1 unless the test is passed.
            """)

    @OptionGroup var options: ConfigurationOptions

    @Option(name: .customLong("app"), help: ArgumentHelp("The app. Default: the only one.", valueName: "bundle id"))
    var bundleID: String?

    @Option(help: ArgumentHelp("PEM file: leaf, intermediate, root.", valueName: "file"))
    var certificates: String

    @Option(help: ArgumentHelp("PEM file with the leaf's private key.", valueName: "file"))
    var key: String

    @Option(help: ArgumentHelp("Where to ask. Default: this machine, at http.port.", valueName: "url"))
    var url: String?

    @Option(help: ArgumentHelp("Original transaction id of a subscription of which the instance knows.", valueName: "id"))
    var transaction: String

    @Option(help: ArgumentHelp("Its product.", valueName: "id"))
    var product: String

    @Option(help: ArgumentHelp("production or sandbox. Default: the app's own.", valueName: "environment"))
    var environment: App.Environment?

    @Option(help: "How many requests.")
    var requests = 100

    @Option(help: "How many of them at once.")
    var concurrent = 10

    @Option(help: ArgumentHelp("The longest time that is in time, in ms.", valueName: "ms"))
    var deadline = 500

    func validate() throws {
        guard (1...100_000).contains(requests), (1...1000).contains(concurrent), deadline > 0 else {
            throw ValidationError("--requests is 1 to 100000, --concurrent 1 to 1000, --deadline more than 0")
        }
    }

    func run() async throws {
        let tools = try HistoryTools(options, bundleID: bundleID)
        guard let configured = tools.configuration.apps.first(where: { $0.bundleID == tools.app.bundleID }),
            let appAppleID = configured.appAppleID
        else { throw CommandRefusal("set appAppleId of the app \(tools.app.bundleID): a request names no bundle id") }
        let chain = try TestChain(
            certificates: Array(try TextFile.read(certificates, for: "--certificates").utf8),
            key: try KeyFile(path: key).load(id: "SELFTESTKY", passphrase: nil, slots: 1))
        let http = tools.configuration.http
        let target =
            url ?? "http://\(http.host):\(http.port)/v1/appstore/retention/\(tools.app.bundleID)"
        let test = RetentionSelfTest(
            target: target, chain: chain,
            subject: RetentionSelfTest.Subject(
                originalTransactionID: transaction, productID: product, appAppleID: appAppleID,
                environment: environment?.rawValue ?? tools.app.environmentName, bundleID: tools.app.bundleID))
        let report = await test.run(requests: requests, concurrent: concurrent, deadline: deadline)
        for line in report.lines { print(line) }
        if !report.isPassed { throw ExitCode.failure }
    }
}
