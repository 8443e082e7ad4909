package import EligibilityRules
import WireText

extension ChainRecord {
    /// Decodes a chain. Throws if the bytes are damaged or of a newer version.
    package static func chain(originalID: String, bytes: UnsafeRawBufferPointer) throws(ByteReader.Damaged) -> PurchaseChain {
        try Decoder().chain(originalID: OriginalID(originalID), bytes: bytes)
    }

    /// An original transaction id, as a text, and also as a number if it is one.
    ///
    /// The first transaction often has the same id. Both then share one text in memory.
    package struct OriginalID {
        package let text: String
        package let number: UInt64?

        /// Takes an id that is not a number.
        package init(_ text: String) {
            self.text = text
            number = nil
        }

        /// Takes an id that is a number.
        package init(_ number: UInt64) {
            text = String(decimal: number)
            self.number = number
        }
    }

    /// Decodes chains one after the other. It reuses its memory, and shares repeated texts such as product ids.
    package final class Decoder {
        private var reader = ByteReader(UnsafeRawBufferPointer(start: nil, count: 0))
        private var originalID = OriginalID("")
        private var texts: [String] = []
        private var stamps: [Stamp] = []
        private var shared = SharedTexts()

        package init() {}

        /// Decodes a chain. Throws if the bytes are damaged or of a newer version.
        package func chain(originalID: OriginalID, bytes: UnsafeRawBufferPointer) throws(ByteReader.Damaged) -> PurchaseChain {
            reader = ByteReader(bytes)
            self.originalID = originalID
            texts.removeAll(keepingCapacity: true)
            stamps.removeAll(keepingCapacity: true)
            guard readableVersions.contains(try reader.byte()) else { throw ByteReader.Damaged() }
            for _ in 0..<(try reader.count()) { texts.append(shared.text(try reader.section())) }
            for _ in 0..<(try reader.count()) {
                let asOf = Instant(milliseconds: try reader.signed())
                stamps.append(Stamp(asOf: asOf, source: try value(Source.init)))
            }
            return try chain()
        }

        private func chain() throws(ByteReader.Damaged) -> PurchaseChain {
            let presence = ChainPresence(rawValue: try reader.number())
            let firstPurchase = presence.contains(.originalPurchase) ? try reader.signed() : nil
            let group = presence.contains(.group) ? try text() : nil
            let token = presence.contains(.token) ? try token() : nil
            let account = presence.contains(.account) ? try reader.text() : nil
            let predecessor = presence.contains(.previous) ? try reader.text() : nil
            let environment = presence.contains(.environment) ? try value(PurchaseEnvironment.init) : nil
            let renewal = presence.contains(.renewal) ? try renewal() : nil
            let winBack = presence.contains(.winBack) ? try winBack() : nil
            let count = try reader.count()
            var transactions: [PurchaseTransaction] = []
            transactions.reserveCapacity(count)
            var previous: Int64 = 0
            for _ in 0..<count {
                let transaction = try transaction(after: previous)
                previous = transaction.purchasedAt.milliseconds
                transactions.append(transaction)
            }
            guard reader.isAtEnd else { throw ByteReader.Damaged() }
            let chain = PurchaseChain(
                merged: transactions,
                originalID: originalID.text,
                groupID: group,
                account: .init(appAccountToken: token, appTransactionID: account),
                beginning: .init(
                    originallyPurchasedAt: firstPurchase.map { Instant(milliseconds: $0) }, previousOriginalID: predecessor),
                environment: environment,
                outlook: .init(renewal: renewal, winBackOffers: winBack),
                isListedFromStart: presence.contains(.listed)
            )
            return presence.contains(.copies) ? chain.merged(with: PurchaseChain(originalID: originalID.text)) : chain
        }

        private func token() throws(ByteReader.Damaged) -> Stamped<ExactText> {
            let stamp = try stamp()
            return Stamped(ExactText(try reader.text()), stamp)
        }

        private func renewal() throws(ByteReader.Damaged) -> Stamped<RenewalState> {
            let presence = RenewalPresence(rawValue: try reader.number())
            let stamp = try stamp()
            let product = presence.contains(.nextProduct) ? try text() : nil
            let grace = presence.contains(.grace) ? try reader.signed() : nil
            let intent = presence.contains(.intent) ? try reader.signed() : nil
            let date = presence.contains(.date) ? try reader.signed() : nil
            let consent = presence.contains(.consent) ? try reader.signed() : nil
            let state = RenewalState(
                willRenew: presence.contains(.willRenew) ? presence.contains(.renews) : nil,
                nextProductID: product,
                isInBillingRetry: presence.contains(.billingRetry) ? presence.contains(.isRetried) : nil,
                gracePeriodExpiresAt: grace.map { Instant(milliseconds: $0) },
                expirationIntent: intent,
                renewalDate: date.map { Instant(milliseconds: $0) },
                priceConsent: consent,
                particulars: presence.contains(.particulars) ? try particulars() : nil
            )
            return Stamped(state, stamp)
        }

        private func winBack() throws(ByteReader.Damaged) -> Stamped<OfferIDs> {
            let stamp = try stamp()
            var ids: [String] = []
            for _ in 0..<(try reader.count()) { ids.append(try text()) }
            return Stamped(OfferIDs(ids), stamp)
        }

        private func transaction(after previous: Int64) throws(ByteReader.Damaged) -> PurchaseTransaction {
            let presence = Presence(rawValue: try reader.number())
            let id = presence.contains(.textID) ? try reader.text() : text(of: try reader.number())
            let item = presence.contains(.lineItem) ? try lineItem(isText: presence.contains(.textLineItem)) : nil
            let product = try text()
            let start = previous &+ (try reader.signed())
            let kind = presence.contains(.kind) ? try value(ProductKind.init) : nil
            let ownership = presence.contains(.ownership) ? try value(Ownership.init) : nil
            var offer: RedeemedOffer?
            if presence.contains(.offer) {
                let kind = try value(RedeemedOffer.Kind.init)
                offer = RedeemedOffer(kind: kind, id: presence.contains(.offerID) ? try text() : nil)
            }
            var expiry: Stamped<Instant>?
            if presence.contains(.expiry) {
                let stamp = try stamp()
                expiry = Stamped(Instant(milliseconds: start &+ (try reader.signed())), stamp)
            }
            var revocation: Stamped<Revocation>?
            if presence.contains(.revocation) {
                let stamp = try stamp()
                let instant = presence.contains(.revoked) ? try reader.signed() : nil
                let value = instant.map { Revocation.revoked(at: Instant(milliseconds: start &+ $0)) } ?? .none
                revocation = Stamped(value, stamp)
            }
            var cancellation: Stamped<Instant>?
            if presence.contains(.cancellation) {
                let stamp = try stamp()
                cancellation = Stamped(Instant(milliseconds: start &+ (try reader.signed())), stamp)
            }
            let reversal = presence.contains(.reversal) ? try stamp() : nil
            var particulars: Stamped<Particulars>?
            if presence.contains(.particulars) {
                let stamp = try stamp()
                particulars = Stamped(try self.particulars(), stamp)
            }
            let sale = presence.contains(.sale) ? try sale(revocation: revocation?.stamp) : nil
            return PurchaseTransaction(
                id: id,
                productID: product,
                purchasedAt: Instant(milliseconds: start),
                kind: kind,
                ownership: ownership,
                terms: .init(lineItemID: item, offer: offer, sale: sale),
                course: .init(
                    isUpgraded: presence.contains(.upgraded), isRenewal: presence.contains(.renewal),
                    sharesPeriod: presence.contains(.sharedPeriod)),
                state: .init(
                    expiry: expiry, revocation: revocation, cancellation: cancellation, reversal: reversal,
                    particulars: particulars)
            )
        }

        private func lineItem(isText: Bool) throws(ByteReader.Damaged) -> String {
            isText ? try reader.text() : String(decimal: try reader.number())
        }

        private func sale(revocation: Stamp?) throws(ByteReader.Damaged) -> Sale? {
            let presence = SalePresence(rawValue: try reader.byte())
            let price = presence.contains(.price) ? try reader.signed() : nil
            let currency = presence.contains(.currency) ? try text() : nil
            let storefront = presence.contains(.storefront) ? try text() : nil
            let discount = presence.contains(.discount) ? try text() : nil
            var seats: Sale.Seats?
            if presence.contains(.seats) {
                seats = presence.contains(.sumOfSeats) ? .charged(try reader.signed()) : .unknown
            }
            var refund: Stamped<Refund>?
            if presence.contains(.refundInFull) {
                refund = try self.refund()
            } else if presence.contains(.refund) {
                guard let revocation else { throw ByteReader.Damaged() }
                refund = Stamped(.none, revocation)
            }
            return Sale(
                price: price, currency: currency, storefront: storefront, discount: discount, seats: seats, refund: refund)
        }

        private func refund() throws(ByteReader.Damaged) -> Stamped<Refund> {
            let stamp = try stamp()
            switch try reader.byte() {
            case RefundTag.none: return Stamped(.none, stamp)
            case RefundTag.unknown: return Stamped(.unknown, stamp)
            case RefundTag.part: return Stamped(.part(try reader.signed(), of: try reader.signed()), stamp)
            default: throw ByteReader.Damaged()
            }
        }

        private func particulars() throws(ByteReader.Damaged) -> Particulars {
            var facts: [Particulars.Fact] = []
            for _ in 0..<(try reader.count()) {
                let name = try text()
                let value = try text()
                facts.append(Particulars.Fact(name: name, value: value, isRecognised: try reader.byte() != 0))
            }
            return Particulars(facts)
        }

        private func text(of id: UInt64) -> String { id == originalID.number ? originalID.text : String(decimal: id) }

        private func text() throws(ByteReader.Damaged) -> String {
            let index = try reader.number()
            guard index < UInt64(texts.count) else { throw ByteReader.Damaged() }
            return texts[Int(index)]
        }

        private func stamp() throws(ByteReader.Damaged) -> Stamp {
            let index = try reader.number()
            guard index < UInt64(stamps.count) else { throw ByteReader.Damaged() }
            return stamps[Int(index)]
        }

        private func value<Value>(_ make: (UInt8) -> Value?) throws(ByteReader.Damaged) -> Value {
            guard let value = make(try reader.byte()) else { throw ByteReader.Damaged() }
            return value
        }
    }
}
