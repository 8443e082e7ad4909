import EligibilityRules
import FuzzDriver
import WireText

@testable import AppStore
@testable import OfferSigning

// The payloads of notifications V2, transactions and renewal information, as if their signatures had been verified.
FuzzDriver.main { start, count in
    guard let value = try? JSONParser.parse(UnsafeBufferPointer(start: start, count: count)) else { return 0 }
    _ = try? value.signedDate()
    _ = NotificationV2(value)
    let chains = [SignedTransactionDecoder.chain(value), SignedRenewalInfoDecoder.chain(value)].compactMap(\.self)
    Oracle.check(PurchaseHistory(chains))
    return 0
}
