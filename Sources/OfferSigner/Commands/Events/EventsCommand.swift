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

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the endpoints and the latest deliveries.")

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var filter: EventFilterOptions

        @Option(name: .customLong("limit"), help: "How many deliveries.")
        var limit = 50

        @Flag(help: "Print JSON, a delivery a line.")
        var json = false

        func run() async throws {
            let door = try CommandDoor(options)
            let endpoints = try await door.events.endpoints(for: .commandLine)
            let page = try await door.events.page(try filter.query, limit: max(1, limit), for: .commandLine)
            try door.closeUnchanged()
            if json {
                for line in page.lines { try StandardOutput.write(line: EventsJSON.line(line).bytes) }
            } else {
                EventText.table(endpoints)
                EventText.table(page.lines)
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show a delivery: its body and its attempts.")

        @OptionGroup var options: ConfigurationOptions

        @Argument(help: "The number in the list.")
        var number: Int64

        @Flag(help: "Print one line of JSON.")
        var json = false

        func run() async throws {
            let door = try CommandDoor(options)
            let (line, attempts) = try await door.events.delivery(number, for: .commandLine)
            try door.closeUnchanged()
            if json { return try StandardOutput.write(line: EventsJSON.delivery(line, attempts: attempts).bytes) }
            EventText.table([line])
            print(String(decoding: line.body, as: UTF8.self))
            for attempt in attempts {
                print("\(attempt.at.iso8601)  \(attempt.milliseconds) ms  \(attempt.fault ?? "answered \(attempt.status ?? 0)")")
            }
        }
    }

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
            let door = try CommandDoor(options)
            var count = 0
            if numbers.isEmpty {
                count = try await door.events.replayAll(
                    try filter.query, by: .commandLine)
            }
            for number in numbers {
                try await door.events.replay(number, by: .commandLine)
                count += 1
            }
            try await door.close()
            print("\(count) sent again, as soon as the service runs")
        }
    }

    struct Test: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Send an event of the type endpoint.test, which means nothing.")

        @OptionGroup var options: ConfigurationOptions

        @Argument(help: "The endpoint's name in the configuration.")
        var endpoint: String

        func run() async throws {
            let door = try CommandDoor(options)
            let id = try await door.events.test(endpoint, by: .commandLine)
            try await door.close()
            print("\(id) is sent as soon as the service runs; see: offersigner events list --endpoint \(endpoint)")
        }
    }

    struct Enable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Have an endpoint that answered 410 receive events again, those that waited first.")

        @OptionGroup var options: ConfigurationOptions

        @Argument(help: "The endpoint's name in the configuration.")
        var endpoint: String

        func run() async throws {
            let door = try CommandDoor(options)
            try await door.events.enable(endpoint, by: .commandLine)
            try await door.close()
            print("\(endpoint) receives events again")
        }
    }
}

/// Which deliveries a command is about.
struct EventFilterOptions: ParsableArguments {
    @Option(help: "Those to this endpoint.")
    var endpoint: String?

    @Option(help: "Those of events of this type.")
    var type: String?

    @Option(help: "Those that are pending, delivered or failed.")
    var state: String?

    /// Whether no option is given.
    var isEmpty: Bool { endpoint == nil && type == nil && state == nil }

    /// The options as a query. Throws if there is no such state.
    var query: EventQuery {
        get throws {
            if let state, !EventQuery.states.contains(state) {
                throw CommandRefusal("--state: must be \(EventQuery.states.joined(separator: ", "))")
            }
            return EventQuery(endpoint: endpoint, type: type, state: state)
        }
    }
}

/// Events as the commands print them.
enum EventText {
    static func table(_ endpoints: [EventEndpointLine]) {
        guard !endpoints.isEmpty else { return print("no endpoint is configured: events.endpoints") }
        let width = endpoints.map(\.name.count).max()!
        for endpoint in endpoints {
            let state = endpoint.disabledAt.map { "disabled since \($0.iso8601)" } ?? "receiving"
            let oldest = endpoint.oldestPending.map { ", the oldest of \($0.iso8601)" } ?? ""
            print("\(endpoint.name.padded(width))  \(state)  \(endpoint.pending) pending\(oldest), \(endpoint.failed) failed")
        }
    }

    static func table(_ lines: [EventLine]) {
        for line in lines {
            let columns = [
                "\(line.number)".padded(8), line.at.iso8601, line.state.padded(9), line.endpoint, line.type,
                line.lastAttempt?.fault ?? "",
            ]
            print(columns.joined(separator: "  "))
        }
    }
}
