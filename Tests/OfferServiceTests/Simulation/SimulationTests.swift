import Foundation
import Testing

@testable import OfferService

/// `SIMULATION_SEED` repeats one course; `SIMULATION_HOURS` says how long each goes on.
@Suite("Simulated replicas")
struct SimulationTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let hours = environment["SIMULATION_HOURS"].flatMap { Int64($0) } ?? 60
    private static let seeds = environment["SIMULATION_SEED"].flatMap { UInt64($0) }.map { [$0] } ?? Array(1...2)

    @Test(
        "Over lost answers, crashes, wrong clocks, rotations and retention every promise is kept", .timeLimit(.minutes(60)),
        arguments: seeds)
    func promises(seed: UInt64) throws {
        let simulation = try Simulation(seed: seed)
        try simulation.run(hours: Self.hours)
        try #require(simulation.violations == [], "repeat it with SIMULATION_SEED=\(seed), after \(simulation.time) ms")
        #expect(simulation.pruned > 0)
        // Else the course would prove little.
        for kind in [
            "signed", "refused", "repeated", "nonceReplayed", "nonceExpired", "notReady", "store-unavailable: no answer",
        ] {
            #expect(simulation.answers[kind, default: 0] > Self.hours / 4, "\(simulation.answers)")
        }
    }

    @Test("The same seed gives the same course")
    func course() throws {
        let courses = try (0..<2).map { _ in
            let simulation = try Simulation(seed: 3)
            try simulation.run(hours: 5)
            return simulation.answers
        }
        #expect(courses[0] == courses[1] && !courses[0].isEmpty)
    }
}
