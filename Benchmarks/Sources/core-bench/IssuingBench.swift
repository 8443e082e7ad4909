import ArgumentParser
import Glibc
import NIOCore
import NIOPosix

/// What the use case costs from a request to the durable answer: everything but HTTP, access and the log.
struct IssuingBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "issue",
        abstract: "Prints {\"cpuMicrosPerSignature\": …, \"signatures\": …}, by CPU time of all threads.")

    // As many as the load generator keeps open connections.
    private static let inFlight = 64

    @Option(help: "The key's file.") var key: String
    @Option(help: "How long, in seconds.") var seconds: Double
    @Option(help: "Offers in each request.") var offers = 1
    @Option(help: "Customers asked for in turn, each once subscribed; 0: nobody is named.") var customers = 0
    @Flag(help: "Limits the offers, far beyond what is asked for.") var limited = false
    @Option(help: "Live campaigns, the last of which gives everybody the offer; 0: the request names it.") var campaigns = 0
    @Option(help: "Folder of the store; what is in it stays.") var folder: String

    func run() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = group.next()
        let desk = try await IssuingDesk(
            key: key, folder: folder, offers: offers, customers: customers, isLimited: limited, campaigns: campaigns)
        try await desk.admitCustomers()
        try await work(desk, on: loop, seconds: 1)
        let start = CPUTime.total
        let answered = try await work(desk, on: loop, seconds: seconds)
        let signatures = answered * offers
        let micros = (CPUTime.total - start) * 1e6 / Double(signatures)
        guard desk.refusals == 0 else {
            throw ValidationError("\(desk.refusals) offers were refused: it takes more customers, or fewer seconds")
        }
        print("{\"cpuMicrosPerSignature\": \(micros), \"signatures\": \(signatures)}")
        try await group.shutdownGracefully()
    }

    /// Keeps requests in flight, each followed by the next. Returns how many were answered.
    @discardableResult
    private func work(_ desk: IssuingDesk, on loop: any EventLoop, seconds: Double) async throws -> Int {
        let deadline = NIODeadline.now() + .milliseconds(Int64(seconds * 1000))
        return try await loop.flatSubmit {
            let lane = desk.lane(on: loop)
            let done = loop.makePromise(of: Int.self)
            let round = Round(desk: desk, lane: lane, deadline: deadline, done: done)
            for _ in 0..<Self.inFlight { round.next() }
            return done.futureResult
        }.get()
    }
}
