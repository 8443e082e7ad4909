import OfferStore
import Testing

@Suite("App partitions")
struct AppPartitionTests {
    @Test(
        "A name says whose part it is, and of which environment", arguments: [nil] + AppPartition.AdditionalEnvironment.allCases)
    func names(additionalEnvironment: AppPartition.AdditionalEnvironment?) {
        let partition = AppPartition(bundleID: "com.example.app", additionalEnvironment: additionalEnvironment)
        #expect(partition.name == "com.example.app" + (additionalEnvironment.map { "#\($0.rawValue)" } ?? ""))
        #expect(AppPartition(name: partition.name) == partition)
        #expect(AppPartition.environments(of: "com.example.app").map(\.name).contains(partition.name))
    }

    @Test(
        "What only looks like a mark is part of the bundle id",
        arguments: ["Sandbox", "com.example.Xcode", "com.example#xcode", "com.example#Sandbox.app", ""])
    func others(name: String) {
        #expect(AppPartition(name: name) == AppPartition(bundleID: name))
    }
}
