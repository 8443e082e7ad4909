import EligibilityRules

/// The encoding of a purchase chain in the store: about 50 bytes for each transaction.
///
/// Texts and stamps that repeat are stored once. Times are stored as differences. The first byte is the version.
package enum ChainRecord {
    static let version: UInt8 = 3
    /// Version 2 had no line items, and one field for refunds and cancellations.
    static let readableVersions: ClosedRange<UInt8> = 2...version

    /// Flags in front of a transaction that say which fields follow.
    struct Presence: OptionSet {
        let rawValue: UInt64
        static let kind = Presence(rawValue: 1)
        static let ownership = Presence(rawValue: 2)
        static let offer = Presence(rawValue: 4)
        static let offerID = Presence(rawValue: 8)
        static let upgraded = Presence(rawValue: 16)
        static let expiry = Presence(rawValue: 32)
        static let revocation = Presence(rawValue: 64)
        static let revoked = Presence(rawValue: 128)
        static let textID = Presence(rawValue: 256)
        static let particulars = Presence(rawValue: 512)
        static let sale = Presence(rawValue: 1024)
        static let renewal = Presence(rawValue: 2048)
        static let sharedPeriod = Presence(rawValue: 4096)
        static let lineItem = Presence(rawValue: 8192)
        static let textLineItem = Presence(rawValue: 16_384)
        static let cancellation = Presence(rawValue: 32_768)
        static let reversal = Presence(rawValue: 65_536)
    }

    /// Flags in front of a sale that say which fields follow.
    struct SalePresence: OptionSet {
        let rawValue: UInt8
        static let price = SalePresence(rawValue: 1)
        static let currency = SalePresence(rawValue: 2)
        static let storefront = SalePresence(rawValue: 4)
        static let discount = SalePresence(rawValue: 8)
        static let seats = SalePresence(rawValue: 16)
        static let sumOfSeats = SalePresence(rawValue: 32)
        static let refund = SalePresence(rawValue: 64)
        /// The refund follows in full, because it is not `none`, or its stamp differs from that of the revocation.
        static let refundInFull = SalePresence(rawValue: 128)
    }

    /// The byte in front of a refund that says of which kind it is.
    enum RefundTag {
        static let none: UInt8 = 0
        static let part: UInt8 = 1
        static let unknown: UInt8 = 2
    }

    /// Flags in front of a chain that say which fields follow.
    struct ChainPresence: OptionSet {
        let rawValue: UInt64
        static let originalPurchase = ChainPresence(rawValue: 1)
        static let group = ChainPresence(rawValue: 2)
        static let token = ChainPresence(rawValue: 4)
        static let environment = ChainPresence(rawValue: 8)
        static let listed = ChainPresence(rawValue: 16)
        static let renewal = ChainPresence(rawValue: 32)
        static let winBack = ChainPresence(rawValue: 64)
        static let account = ChainPresence(rawValue: 128)
        static let previous = ChainPresence(rawValue: 256)
        static let copies = ChainPresence(rawValue: 512)
    }

    /// Flags in front of a renewal state that say which fields follow.
    struct RenewalPresence: OptionSet {
        let rawValue: UInt64
        static let willRenew = RenewalPresence(rawValue: 1)
        static let renews = RenewalPresence(rawValue: 2)
        static let billingRetry = RenewalPresence(rawValue: 4)
        static let isRetried = RenewalPresence(rawValue: 8)
        static let nextProduct = RenewalPresence(rawValue: 16)
        static let grace = RenewalPresence(rawValue: 32)
        static let intent = RenewalPresence(rawValue: 64)
        static let date = RenewalPresence(rawValue: 128)
        static let consent = RenewalPresence(rawValue: 256)
        static let particulars = RenewalPresence(rawValue: 512)
    }
}
