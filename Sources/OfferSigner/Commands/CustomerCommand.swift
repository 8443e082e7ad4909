import ArgumentParser
import EligibilityRules
import OfferHTTP
import OfferService
import OfferStore
import WireText

/// Commands about one customer.
struct CustomerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "customer",
        abstract: "Show what is known of a customer, export it, or erase the customer.",
        discussion: "The service may be running meanwhile. docs/customers.md explains each fact.",
        subcommands: [Show.self, ShowTimeline.self, Export.self, Erase.self]
    )

    /// The customer that a command is about.
    struct Options: ParsableArguments {
        @OptionGroup var options: ConfigurationOptions

        @OptionGroup var app: AppOptions

        @Argument(help: "The app's own id of the customer.")
        var customer: String

        func validate() throws {
            if let fault = Identifier.fault(of: customer) { throw ValidationError("the customer's id \(fault)") }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show what is known of a customer.")

        @OptionGroup var of: Options

        @Flag(help: "Print what GET /v1/customers/{customerId} answers.")
        var json = false

        func run() async throws {
            let tools = try await CustomerTools(of)
            let facts = try await tools.known { try await $0.facts(of: of.customer, tools.app) }
            try await tools.close()
            if json {
                try StandardOutput.write(line: CustomerJSON.facts(facts, customerID: of.customer).bytes)
            } else {
                for line in CustomerText.lines(facts) { print(line) }
            }
        }
    }

    struct ShowTimeline: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "timeline", abstract: "Show what happened to a customer, oldest first.")

        @OptionGroup var of: Options

        @Flag(help: "Print JSON Lines, as the items of GET /v1/customers/{customerId}/timeline.")
        var json = false

        func run() async throws {
            let tools = try await CustomerTools(of)
            let timeline = try await tools.known { try await $0.timeline(of: of.customer, tools.app) }
            try await tools.close()
            for event in timeline.events {
                try StandardOutput.write(
                    line: json ? CustomerJSON.event(event).bytes : Array(CustomerText.line(event).utf8))
            }
        }
    }

    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print all that is stored of a customer as one JSON object; the audit log gets a customer.export.")

        @OptionGroup var of: Options

        func run() async throws {
            let tools = try await CustomerTools(of)
            let export = try await tools.known { try await $0.export(of: of.customer, tools.app, by: .commandLine) }
            try await export.write({ CustomerJSON.facts($0, customerID: of.customer) }) { try StandardOutput.write($0) }
            try StandardOutput.write(line: [])
            try await tools.close()
        }
    }

    struct Erase: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove a customer's names from everything that is stored; says what stays, and until when.",
            discussion: "Purchases stay without a customer, so that erasure does not allow a second introductory offer.")

        @OptionGroup var of: Options

        @Flag(help: "Print what DELETE /v1/customers/{customerId} answers.")
        var json = false

        func run() async throws {
            let tools = try await CustomerTools(of)
            let erasure = try await tools.known { try await $0.erase(of.customer, tools.app, by: .commandLine) }
            try await tools.close()
            if json {
                try StandardOutput.write(line: CustomerJSON.erasure(erasure, bundleID: tools.app.bundleID).bytes)
            } else {
                for line in CustomerText.lines(erasure) { print(line) }
            }
        }
    }
}

/// The parts that all commands about a customer use.
struct CustomerTools {
    let app: App
    private let desk: CustomerDesk
    private let store: Store
    private let configuration: ServiceConfiguration

    init(_ options: CustomerCommand.Options) async throws {
        let tools = try HistoryTools(
            options.options, bundleID: options.app.bundleID, environment: options.app.environment)
        (configuration, app) = (tools.configuration, tools.app)
        store = try configuration.openStore(onWait: StandardError.note)
        _ = app.groups.note(try await store.purchases.histories.seenGroups(partition: app.partition))
        desk = store.customerDesk(configuration, configuration.auditLog(of: store.signing), system: .live)
    }

    /// Returns the result of `body`. Ends the program if the customer is unknown.
    func known<Value>(_ body: (CustomerDesk) async throws -> Value) async throws -> Value {
        do {
            return try await body(desk)
        } catch CustomerError.unknown(let bundleID) {
            StandardError.note("nothing is known of this customer in the app \(bundleID)")
            throw ExitCode.failure
        }
    }

    /// Seals the recorded events, and closes the store.
    func close() async throws {
        try store.purchases.file.close()
        try await store.signing.closeSealed(configuration)
    }
}
