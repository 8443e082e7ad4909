import EligibilityRules
import WireText

@testable import AppStore
@testable import OfferSigning

extension FuzzTarget {
    /// The payloads of notifications V2, transactions and renewal information, as if their signatures had been verified.
    static func readSignedPayload(_ input: UnsafeBufferPointer<UInt8>) {
        guard let value = try? JSONParser.parse(input) else { return }
        _ = try? value.signedDate()
        _ = NotificationV2(value)
        let chains = [SignedTransactionDecoder.chain(value), SignedRenewalInfoDecoder.chain(value)].compactMap(\.self)
        Oracle.check(PurchaseHistory(chains))
    }
}
