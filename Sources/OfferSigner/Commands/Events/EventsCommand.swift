import ArgumentParser
import EligibilityRules
import OfferHTTP
import OfferService
import OfferStore
import WireText

/// Commands about events for the company's own systems.
struct EventsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "events",
        abstract: "Show the events that were sent to your own systems, and send them again.",
        discussion: "The service may be running meanwhile; it is the one that sends. Ids of customers are masked.",
        subcommands: [List.self, Show.self, Replay.self, Test.self, Enable.self]
    )

    /// Lists endpoints and deliveries.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the endpoints and the latest deliveries.")

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var filter: EventFilterOptions

        @Option(name: .customLong("limit"), help: "How many deliveries.")
        var limit = 50

        @Flag(help: "Print JSON, a delivery a line.")
        var json = false

        func run() async throws {
            let tools = try EventTools(options)
            let endpoints = try await tools.desk.endpoints()
            let page = try await tools.desk.page(try filter.query, limit: max(1, limit))
            try tools.store.file.close()
            if json {
                for line in page.lines { try StandardOutput.write(line: EventsJSON.line(line).bytes) }
            } else {
                EventText.table(endpoints)
                EventText.table(page.lines)
            }
        }
    }

    /// Shows one delivery.
    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show a delivery: its body and its attempts.")

        @OptionGroup var options: ConfigurationOptions

        @Argument(help: "The number in the list.")
        var number: Int64

        @Flag(help: "Print one line of JSON.")
        var json = false

        func run() async throws {
            let tools = try EventTools(options)
            let (line, attempts) = try await tools.known { try await tools.desk.delivery(number) }
            try tools.store.file.close()
            if json { return try StandardOutput.write(line: EventsJSON.delivery(line, attempts: attempts).bytes) }
            EventText.table([line])
            print(String(decoding: line.body, as: UTF8.self))
            for attempt in attempts {
                print("\(attempt.at.iso8601)  \(attempt.milliseconds) ms  \(attempt.fault ?? "answered \(attempt.status ?? 0)")")
            }
        }
    }

    /// Sends events again.
    struct Replay: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Send events again, with the same ids: some by number, or all that match.")

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var filter: EventFilterOptions

        @Argument(help: "Numbers in the list.")
        var numbers: [Int64] = []

        func validate() throws {
            if numbers.isEmpty == filter.isEmpty {
                throw ValidationError("give numbers, or --endpoint, --type or --state, not both")
            }
        }

        func run() async throws {
            let tools = try EventTools(options)
            var count = 0
            if numbers.isEmpty { count = try await tools.desk.replayAll(try filter.query, by: .commandLine) }
            for number in numbers {
                try await tools.known { try await tools.desk.replay(number, by: .commandLine) }
                count += 1
            }
            try await tools.close()
            print("\(count) sent again, as soon as the service runs")
        }
    }

    /// Sends a test.
    struct Test: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Send an event of the type endpoint.test, which means nothing.")

        @OptionGroup var options: ConfigurationOptions

        @Argument(help: "The endpoint's name in the configuration.")
        var endpoint: String

        func run() async throws {
            let tools = try EventTools(options)
            let id = try await tools.known { try await tools.desk.test(endpoint, by: .commandLine) }
            try await tools.close()
            print("\(id) is sent as soon as the service runs; see: offersigner events list --endpoint \(endpoint)")
        }
    }

    /// Enables an endpoint.
    struct Enable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Have an endpoint that answered 410 receive events again, those that waited first.")

        @OptionGroup var options: ConfigurationOptions

        @Argument(help: "The endpoint's name in the configuration.")
        var endpoint: String

        func run() async throws {
            let tools = try EventTools(options)
            try await tools.known { try await tools.desk.enable(endpoint, by: .commandLine) }
            try await tools.close()
            print("\(endpoint) receives events again")
        }
    }
}

/// The common part of the commands about events.
struct EventTools {
    let store: SigningStore
    let desk: EventDesk
    private let configuration: ServiceConfiguration

    init(_ options: ConfigurationOptions) throws {
        configuration = try options.load()
        store = try configuration.openSigningStore(onWait: StandardError.note)
        let keys = AuditKeyFolder(directory: configuration.keys.directory)
        desk = EventDesk(
            store: store.events, endpoints: configuration.events.endpoints,
            audit: AuditLog(store: store.audit, keys: keys, system: .live), system: .live)
    }

    /// Returns the result of `body`. Its refusals end the program with a sentence.
    func known<Value>(_ body: () async throws -> Value) async throws -> Value {
        do { return try await body() } catch let error as EventError { throw CommandRefusal("\(error)") }
    }

    /// Seals what was recorded, and closes the store.
    func close() async throws { try await store.closeSealed(configuration) }
}

/// Which deliveries a command is about.
struct EventFilterOptions: ParsableArguments {
    @Option(help: "Those to this endpoint.")
    var endpoint: String?

    @Option(help: "Those of events of this type.")
    var type: String?

    @Option(help: "Those that are pending, delivered or failed.")
    var state: String?

    /// Whether it names nothing.
    var isEmpty: Bool { endpoint == nil && type == nil && state == nil }

    /// Throws for a state that there is not.
    var query: EventQuery {
        get throws {
            if let state, !EventQuery.states.contains(state) {
                throw CommandRefusal("--state: must be \(EventQuery.states.joined(separator: ", "))")
            }
            return EventQuery(endpoint: endpoint, type: type, state: state)
        }
    }
}
