import ArgumentParser
import Glibc
import NIOCore
import NIOPosix

/// What limits and campaigns add to a signature: desks with and without them, side by side, take turns of some tens of milliseconds.
struct SurchargeBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "surcharges",
        abstract: "Prints {\"plain\": […], \"again\": […], …}: CPU µs of all threads per signature, turn by turn.",
        discussion:
            "`again` is a second plain desk: what it differs by is the machine's noise. Each customer is known, and asks once.")

    @Option(help: "The key's file.") var key: String
    @Option(help: "How often each has its turn.") var turns = 60
    @Option(help: "Signatures in a turn.") var signatures = 2000
    @Option(help: "Live campaigns, the last of which gives everybody the offer.") var campaigns = 50
    @Option(help: "Folder of the stores; what is in it stays.") var folder: String

    func run() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = group.next()
        // A turn may end with the requests in flight, and a few turns are for warming up.
        let customers = (turns + Self.warmUp) * (signatures + 64)
        var desks: [(name: String, desk: IssuingDesk, readings: [Double])] = []
        for (name, isLimited, campaigns) in [
            ("plain", false, 0), ("again", false, 0), ("limits", true, 0), ("campaigns", false, campaigns),
        ] {
            let own = "\(folder)/\(name)"
            guard mkdir(own, 0o700) == 0 || errno == EEXIST else { throw ValidationError("\(own) cannot be made: \(errno)") }
            let desk = try await IssuingDesk(
                key: key, folder: own, customers: customers, isLimited: isLimited, campaigns: campaigns)
            try await desk.admitCustomers()
            desks.append((name, desk, []))
        }
        for turn in 0..<turns + Self.warmUp {
            // Each begins as often as the others: nobody always runs after the same neighbour.
            for place in desks.indices {
                let index = (place + turn) % desks.count
                let reading = try await reading(of: desks[index].desk, on: loop)
                if turn >= Self.warmUp { desks[index].readings.append(reading) }
            }
        }
        for (name, desk, _) in desks where desk.refusals > 0 {
            throw ValidationError("\(name): \(desk.refusals) offers were refused, which costs other things than a signature")
        }
        print("{\(desks.map { "\"\($0.name)\": \($0.readings)" }.joined(separator: ", "))}")
        try await group.shutdownGracefully()
    }

    private static let warmUp = 5

    private func reading(of desk: IssuingDesk, on loop: any EventLoop) async throws -> Double {
        let start = CPUTime.precise
        let answered = try await Round.ask(desk, on: loop) { [signatures] in $0 < signatures }
        return (CPUTime.precise - start) * 1e6 / Double(answered)
    }
}
