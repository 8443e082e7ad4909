import ArgumentParser
import EligibilityRules
import OfferService
import OfferStore

/// Shows the processes that serve a database, and how they differ.
struct ReplicasCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replicas",
        abstract: "Show which replicas live, and in what they differ.",
        discussion: "A replica that was not heard of for ten seconds counts as dead. Exits with 1 where those that live differ."
    )

    @OptionGroup var options: ConfigurationOptions

    func run() async throws {
        let store = try options.load().openSigningStore(onWait: StandardError.note)
        guard let replicas = store.processes.replicas else {
            throw CommandRefusal("the store is a file, which one process serves; replicas share a database: store.postgresql")
        }
        let comparisons = try await ReplicaDesk(store: replicas).comparisons()
        try store.file.close()
        Self.table(comparisons)
        if comparisons.contains(where: { !$0.differences.isEmpty }) { throw ExitCode.failure }
    }

    private static func table(_ comparisons: [ReplicaComparison]) {
        guard !comparisons.isEmpty else { return print("no replica lives") }
        let width = comparisons.map(\.address.count).max()!
        print(
            "\("REPLICA".padded(width))  STATE  LAST HEARTBEAT        STARTED               VERSION  CLOCK       DIFFERS IN"
        )
        for replica in comparisons {
            let columns = [
                replica.address.padded(width), (replica.isAlive ? "alive" : "dead").padded(5),
                replica.lastHeartbeatAt.iso8601.padded(20), replica.startedAt.iso8601.padded(20), replica.version.padded(7),
                (replica.clockOffset.map { "\($0) ms" } ?? "–").padded(10),
                replica.differences.map(\.rawValue).joined(separator: ", "),
            ]
            print(columns.joined(separator: "  "))
        }
        for difference in ReplicaComparison.Difference.allCases {
            let different = comparisons.filter { $0.differences.contains(difference) }.map(\.address)
            if !different.isEmpty { print("\(different.joined(separator: ", ")): \(difference.sentence)") }
        }
    }
}
