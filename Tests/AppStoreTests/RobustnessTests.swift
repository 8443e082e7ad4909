import EligibilityRules
import OfferSigning
import Testing
import WireText

@testable import AppStore

@Suite("Hostile input")
struct RobustnessTests {
    private static let fixtures = [
        "notification-v1-refund", "verify-receipt-response-ios6-consumable", "verify-receipt-response-ios7-subscription",
    ]
    private static let scraps = [
        "9999999999999999999", "-9223372036854775808", "1e400", "-1e400", "1e-400", "4e15", "null", "true", "\"\"", "[]", "{}",
        "\"9999999999999999999999\"", "\"-9223372036854775808\"", "\"9999-99-99 99:99:99 Etc/GMT\"", "\"\\u0000\"", "[[{}]]",
        "0.0",
        "\"2020-05-18 10:37:17 Etc/GMT\"", "\"é\"", "{\"in_app\":{}}", "[null,{\"transaction_id\":1}]",
    ]

    private func decodeEverything(_ value: JSONValue) {
        let response = ReceiptResponse(value)
        let notification = NotificationV1(value)
        _ = response?.history.merged(with: notification?.history ?? PurchaseHistory())
        _ = SignedTransactionDecoder.chain(value)
        _ = SignedRenewalInfoDecoder.chain(value)
        _ = NotificationV2(value)
        _ = value.bytes
    }

    /// Replaces values of an object, at any depth, by scraps.
    private func damaged(_ value: JSONValue, by generator: inout some RandomNumberGenerator) throws -> JSONValue {
        if Int.random(in: 0..<12, using: &generator) == 0 {
            return try Samples.json(Self.scraps.randomElement(using: &generator)!)
        }
        switch value {
        case .array(let elements):
            return .array(try elements.map { try damaged($0, by: &generator) })
        case .object:
            guard case .object(let members) = value else { return value }
            let texts = try members.map { member in
                let part = String(decoding: try damaged(member.value, by: &generator).bytes, as: UTF8.self)
                return "\"\(member.name)\":\(part)"
            }
            return try Samples.json("{\(texts.joined(separator: ","))}")
        default: return value
        }
    }

    @Test("Damaged documents are decoded as far as they go", arguments: fixtures)
    func damage(name: String) throws {
        let whole = try Samples.parsedFixture(name)
        var generator = SplitMix(seed: 20_200_728)
        for _ in 0..<300 { decodeEverything(try damaged(whole, by: &generator)) }
    }

    @Test("Any value where an object is expected is decoded to nothing", arguments: scraps)
    func scrap(text: String) throws {
        decodeEverything(try Samples.json(text))
        let names = ["receipt", "latest_receipt_info", "unified_receipt", "pending_renewal_info", "data", "purchaseDate"]
        for name in names {
            decodeEverything(try Samples.json(#"{"status":0,"notification_type":"X","\#(name)":\#(text)}"#))
            decodeEverything(try Samples.json(#"{"status":0,"receipt":{"in_app":[{"\#(name)":\#(text)}]}}"#))
        }
    }

    @Test(
        "Instants at their limits survive every rule that looks at them",
        arguments: [4_000_000_000_000_000, -4_000_000_000_000_000])
    func extremes(milliseconds: Int64) throws {
        let text =
            #"{"transactionId":"1","productId":"p","purchaseDate":\#(milliseconds),"expiresDate":\#(milliseconds),"#
            + #""signedDate":\#(milliseconds),"revocationDate":\#(milliseconds)}"#
        let chain = try #require(SignedTransactionDecoder.chain(Samples.json(text)))
        for now in [milliseconds, -milliseconds, 0] {
            #expect(SubscriptionStatus(of: [chain], at: Instant(milliseconds: now)).state != .active)
        }
    }
}

/// Always the same numbers for the same seed.
private struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
