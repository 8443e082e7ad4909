import ArgumentParser
import EligibilityRules

/// Shows the bucket in which the bucketing function puts a key.
struct BucketCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bucket",
        abstract: "Print the hash (MurmurHash3 x86 32-bit, seed 0) and the bucket (0…9999) of a key.",
        // Hidden because it is for support: `campaigns simulate` shows the buckets of a customer.
        shouldDisplay: false
    )

    @Argument(help: "The text to hash, in campaigns <campaign>:<purpose>:<unit>.")
    var key: String

    func run() {
        let bucket = Bucket(key: key)
        print("hash=\(bucket.hash) bucket=\(bucket.number)")
    }
}
