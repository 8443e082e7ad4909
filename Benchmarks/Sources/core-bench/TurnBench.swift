import ArgumentParser
import NIOCore
import NIOPosix

/// What a signature for a known customer costs, turn by turn: what disturbs the machine for a moment falls out of the median.
struct TurnBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "turns",
        abstract: "Prints {\"cpuMicrosPerSignature\": [ … ]}, by CPU time of all threads; each customer asks once.")

    private static let warmUp = 5

    @Option(help: "The key's file.") var key: String
    @Option(help: "How many turns.") var turns = 40
    @Option(help: "Signatures in a turn.") var signatures = 2000
    @Flag(help: "Limits the offer, far beyond what is asked for.") var limited = false
    @Option(help: "Live campaigns, the last of which gives everybody the offer; 0: the request names it.") var campaigns = 0
    @Option(help: "Folder of the store; what is in it stays.") var folder: String

    func run() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = group.next()
        let desk = try await IssuingDesk(
            key: key, folder: folder, customers: (turns + Self.warmUp) * signatures, isLimited: limited, campaigns: campaigns)
        try await desk.admitCustomers()
        var readings: [Double] = []
        for turn in 0..<turns + Self.warmUp {
            let start = CPUTime.precise
            let answered = try await Round.ask(desk, on: loop) { [signatures] in $0 < signatures }
            if turn >= Self.warmUp { readings.append((CPUTime.precise - start) * 1e6 / Double(answered)) }
        }
        guard desk.refusals == 0 else {
            throw ValidationError("\(desk.refusals) offers were refused, which costs other things than a signature")
        }
        print("{\"cpuMicrosPerSignature\": \(readings)}")
        try await group.shutdownGracefully()
    }
}
