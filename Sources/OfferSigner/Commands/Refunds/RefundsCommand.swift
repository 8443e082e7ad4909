import ArgumentParser
import EligibilityRules
import OfferService
import OfferStore

/// Commands about the App Store's refund requests.
struct RefundsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "refunds",
        abstract: "Show what was answered to refund requests, or would be; try the policies.",
        discussion: "The service may be running meanwhile; it is the one that answers. Nothing here sends anything.",
        subcommands: [List.self, Show.self, Try.self]
    )

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the latest refund requests, and what became of them.")

        @OptionGroup var options: ConfigurationOptions

        @OptionGroup var app: AppOptions

        @Option(name: .customLong("limit"), help: "How many.")
        var limit = 50

        @Flag(help: "Print JSON, a request a line.")
        var json = false

        func run() async throws {
            let tools = try RefundTools(options, app)
            let records = try await tools.desk.requests(tools.app, limit: max(1, limit))
            try tools.close()
            for record in records {
                try StandardOutput.write(line: json ? RefundText.json(record) : Array(RefundText.line(record).utf8))
            }
            if records.isEmpty, !json { print("no refund request is stored; the app's refunds.mode is \(tools.mode)") }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show the refund requests about a transaction, with what was sent or would be.")

        @OptionGroup var options: ConfigurationOptions

        @OptionGroup var app: AppOptions

        @Argument(help: "The transaction's id.")
        var transaction: String

        @Flag(help: "Print JSON, a request a line.")
        var json = false

        func run() async throws {
            let tools = try RefundTools(options, app)
            let records = try await tools.desk.requests(tools.app, transactionID: transaction, limit: 100)
            try tools.close()
            guard !records.isEmpty else { throw CommandRefusal("no refund request about \(transaction) is stored") }
            for record in records {
                if json {
                    try StandardOutput.write(line: RefundText.json(record))
                } else {
                    for line in RefundText.lines(record) { print(line) }
                }
            }
        }
    }

    struct Try: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show what the configured policies would answer about a stored transaction. Nothing is sent.",
            discussion: "It does not matter whether a refund was asked for, nor what refunds.mode says.")

        @OptionGroup var options: ConfigurationOptions

        @OptionGroup var app: AppOptions

        @Option(help: ArgumentHelp("As if the refund were asked for at this time instead of now.", valueName: "time"))
        var at: String?

        @Argument(help: "The transaction's id.")
        var transaction: String

        @Flag(help: "Print one line of JSON.")
        var json = false

        func run() async throws {
            let tools = try RefundTools(options, app)
            let now = try at.map(Instant.init(iso8601:)) ?? SystemEnvironment.live.now()
            let judgement = try await tools.judge(transaction, at: now)
            try tools.close()
            guard let purchase = judgement.purchase else {
                throw CommandRefusal("the transaction \(transaction) is not stored")
            }
            if json {
                try StandardOutput.write(line: RefundText.json(judgement, purchase))
            } else {
                for line in RefundText.lines(judgement, purchase) { print(line) }
            }
        }
    }
}

/// The parts that all commands about refund requests use.
struct RefundTools {
    /// The app in the requested environment.
    let app: App
    let desk: RefundDesk
    private let store: Store

    init(_ options: ConfigurationOptions, _ app: AppOptions) throws {
        let tools = try HistoryTools(options, bundleID: app.bundleID, environment: app.environment)
        self.app = tools.app
        store = try tools.configuration.openStore(onWait: StandardError.note)
        desk = RefundDesk(
            store: store.purchases, audit: tools.configuration.auditLog(of: store.signing), system: .live)
    }

    /// The app's `refunds.mode`.
    var mode: String { app.answers.refunds.mode.rawValue }

    /// Tries the policies on a transaction.
    func judge(_ transactionID: String, at now: Instant) async throws -> RefundJudgement {
        _ = app.groups.note(try await store.purchases.histories.seenGroups(partition: app.partition))
        return try await desk.judge(transactionID, requestedAt: now, app)
    }

    func close() throws { try store.close() }
}
