import ArgumentParser
import NIOCore
import NIOPosix

/// What the use case costs from a request to the durable answer: everything but HTTP, access and the log.
struct IssuingBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "issue",
        abstract: "Prints {\"cpuMicrosPerSignature\": …, \"signatures\": …}, by CPU time of all threads.")

    @Option(help: "The key's file.") var key: String
    @Option(help: "How long, in seconds.") var seconds: Double
    @Option(help: "Offers in each request.") var offers = 1
    @Option(help: "Folder of the store; what is in it stays.") var folder: String

    func run() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = group.next()
        let desk = try await IssuingDesk(key: key, folder: folder, offers: offers)
        try await Round.ask(desk, on: loop, goesOn: until(.now() + .seconds(1)))
        let start = CPUTime.total
        let answered = try await Round.ask(desk, on: loop, goesOn: until(.now() + .milliseconds(Int64(seconds * 1000))))
        let signatures = answered * offers
        let micros = (CPUTime.total - start) * 1e6 / Double(signatures)
        guard desk.refusals == 0 else { throw ValidationError("\(desk.refusals) offers were refused") }
        print("{\"cpuMicrosPerSignature\": \(micros), \"signatures\": \(signatures)}")
        try await group.shutdownGracefully()
    }

    private func until(_ deadline: NIODeadline) -> @Sendable (Int) -> Bool {
        { _ in NIODeadline.now() < deadline }
    }
}
