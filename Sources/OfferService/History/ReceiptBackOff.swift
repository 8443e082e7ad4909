import EligibilityRules
import OfferSigning
import OfferStore

/// The pause after failed questions about a receipt: a minute, doubled up to six hours, each a quarter more or less.
enum ReceiptBackOff {
    private static let shortest: Int64 = 60_000
    private static let longest: Int64 = 6 * 3_600_000

    /// In ms. The same for the same arguments. Receipts differ, so that those that failed together do not return together.
    static func pause(after failures: Int, of name: ReceiptName) -> Int64 {
        let pause = min(longest, shortest << Int64(min(max(failures, 1) - 1, 20)))
        let text =
            switch name {
            case .subscription(let id): id
            case .unverified(let digest): Crypto.hexadecimal(digest)
            }
        let hash = Murmur3.hash("\(text):\(failures)")
        return pause * 3 / 4 + pause / 2 * Int64(hash >> 16) / 65_536
    }
}
