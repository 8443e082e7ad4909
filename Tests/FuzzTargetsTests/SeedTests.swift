import Foundation
import FuzzTargets
import TestRandomness
import Testing

@Suite("Fuzz targets")
struct SeedTests {
    private static let seeds = URL(filePath: #filePath).appending(path: "../../../Fuzzing/Seeds").standardized

    @Test("Every seed, and what it becomes when a byte is changed or its end is lost", arguments: FuzzTarget.allCases)
    func seeds(target: FuzzTarget) throws {
        let folder = SeedTests.seeds.appending(path: target.rawValue)
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        #expect(!files.isEmpty)
        var random = SplitMix64(seed: 1)
        for file in files {
            let seed = [UInt8](try Data(contentsOf: file))
            seed.withUnsafeBufferPointer(target.run)
            for _ in 0..<20 {
                var input = seed.prefix(Int.random(in: 0...seed.count, using: &random))
                if let index = input.indices.randomElement(using: &random) { input[index] = .random(in: 0...255, using: &random) }
                Array(input).withUnsafeBufferPointer(target.run)
            }
        }
    }

    @Test("Every folder of seeds has its target")
    func folders() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: SeedTests.seeds.path)
        #expect(Set(folders) == Set(FuzzTarget.allCases.map(\.rawValue)))
    }
}
