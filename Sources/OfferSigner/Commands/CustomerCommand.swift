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

    /// Prints the facts.
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

    /// Prints the timeline.
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

    /// Prints all that is stored.
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

    /// Erases the customer.
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
