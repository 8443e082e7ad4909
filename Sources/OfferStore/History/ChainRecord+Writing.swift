package import EligibilityRules

extension ChainRecord {
    /// Encodes a chain, without its original transaction id, which is stored beside the bytes.
    package static func bytes(of chain: PurchaseChain) -> [UInt8] {
        var record = Writing()
        record.write(chain)
        var head = ByteWriter()
        head.append(byte: version)
        head.append(UInt64(record.texts.values.count))
        for text in record.texts.values { head.append(text.string) }
        head.append(UInt64(record.stamps.values.count))
        for stamp in record.stamps.values {
            head.append(signed: stamp.asOf.milliseconds)
            head.append(byte: stamp.source.rawValue)
        }
        return head.bytes + record.body.bytes
    }

    private struct Writing {
        var texts = ValueIndex<ExactText>()
        var stamps = ValueIndex<Stamp>()
        var body = ByteWriter()

        mutating func write(_ chain: PurchaseChain) {
            var presence: ChainPresence = []
            if chain.originallyPurchasedAt != nil { presence.insert(.originalPurchase) }
            if chain.groupID != nil { presence.insert(.group) }
            if chain.appAccountToken != nil { presence.insert(.token) }
            if chain.environment != nil { presence.insert(.environment) }
            if chain.isListedFromStart { presence.insert(.listed) }
            if chain.renewal != nil { presence.insert(.renewal) }
            if chain.winBackOffers != nil { presence.insert(.winBack) }
            if chain.appTransactionID != nil { presence.insert(.account) }
            if chain.previousOriginalID != nil { presence.insert(.previous) }
            if chain.hasCopies { presence.insert(.copies) }
            body.append(presence.rawValue)
            if let instant = chain.originallyPurchasedAt { body.append(signed: instant.milliseconds) }
            if let group = chain.groupID { body.append(index(of: group)) }
            if let token = chain.appAccountToken {
                body.append(index(of: token.stamp))
                body.append(token.value.string)
            }
            if let account = chain.appTransactionID { body.append(account) }
            if let previous = chain.previousOriginalID { body.append(previous) }
            if let environment = chain.environment { body.append(byte: environment.rawValue) }
            if let renewal = chain.renewal { write(renewal) }
            if let offers = chain.winBackOffers {
                body.append(index(of: offers.stamp))
                body.append(UInt64(offers.value.ids.count))
                for id in offers.value.ids { body.append(index(of: id)) }
            }
            body.append(UInt64(chain.statements.count))
            var previous: Int64 = 0
            for transaction in chain.statements {
                write(transaction, after: previous)
                previous = transaction.purchasedAt.milliseconds
            }
        }

        private mutating func write(_ renewal: Stamped<RenewalState>) {
            let state = renewal.value
            var presence: RenewalPresence = []
            if let flag = state.willRenew { presence.formUnion(flag ? [.willRenew, .renews] : .willRenew) }
            if let flag = state.isInBillingRetry { presence.formUnion(flag ? [.billingRetry, .isRetried] : .billingRetry) }
            if state.nextProductID != nil { presence.insert(.nextProduct) }
            if state.gracePeriodExpiresAt != nil { presence.insert(.grace) }
            if state.expirationIntent != nil { presence.insert(.intent) }
            if state.renewalDate != nil { presence.insert(.date) }
            if state.priceConsent != nil { presence.insert(.consent) }
            if state.particulars != nil { presence.insert(.particulars) }
            body.append(presence.rawValue)
            body.append(index(of: renewal.stamp))
            if let product = state.nextProductID { body.append(index(of: product)) }
            if let instant = state.gracePeriodExpiresAt { body.append(signed: instant.milliseconds) }
            if let intent = state.expirationIntent { body.append(signed: intent) }
            if let instant = state.renewalDate { body.append(signed: instant.milliseconds) }
            if let consent = state.priceConsent { body.append(signed: consent) }
            if let particulars = state.particulars { write(particulars) }
        }

        private mutating func write(_ transaction: PurchaseTransaction, after previous: Int64) {
            let (number, item) = (Self.number(transaction.id), transaction.lineItemID.map(Self.number))
            var presence: Presence = number == nil ? .textID : []
            if let item { presence.formUnion(item == nil ? [.lineItem, .textLineItem] : .lineItem) }
            if transaction.kind != nil { presence.insert(.kind) }
            if transaction.ownership != nil { presence.insert(.ownership) }
            if let offer = transaction.offer { presence.formUnion(offer.id == nil ? .offer : [.offer, .offerID]) }
            if transaction.isUpgraded { presence.insert(.upgraded) }
            if transaction.expiry != nil { presence.insert(.expiry) }
            if let revocation = transaction.revocation {
                presence.formUnion(revocation.value == .none ? .revocation : [.revocation, .revoked])
            }
            if transaction.cancellation != nil { presence.insert(.cancellation) }
            if transaction.reversal != nil { presence.insert(.reversal) }
            if transaction.particulars != nil { presence.insert(.particulars) }
            if transaction.sale != nil { presence.insert(.sale) }
            if transaction.isRenewal { presence.insert(.renewal) }
            if transaction.sharesPeriod { presence.insert(.sharedPeriod) }
            let start = transaction.purchasedAt.milliseconds
            body.append(presence.rawValue)
            append(number, transaction.id)
            if let item { append(item, transaction.lineItemID!) }
            body.append(index(of: transaction.productID))
            body.append(signed: start &- previous)
            if let kind = transaction.kind { body.append(byte: kind.rawValue) }
            if let ownership = transaction.ownership { body.append(byte: ownership.rawValue) }
            if let offer = transaction.offer {
                body.append(byte: offer.kind.rawValue)
                if let id = offer.id { body.append(index(of: id)) }
            }
            if let expiry = transaction.expiry {
                body.append(index(of: expiry.stamp))
                body.append(signed: expiry.value.milliseconds &- start)
            }
            if let revocation = transaction.revocation {
                body.append(index(of: revocation.stamp))
                if let instant = revocation.value.instant { body.append(signed: instant.milliseconds &- start) }
            }
            if let cancellation = transaction.cancellation {
                body.append(index(of: cancellation.stamp))
                body.append(signed: cancellation.value.milliseconds &- start)
            }
            if let reversal = transaction.reversal { body.append(index(of: reversal)) }
            if let particulars = transaction.particulars {
                body.append(index(of: particulars.stamp))
                write(particulars.value)
            }
            if let sale = transaction.sale { write(sale, revocation: transaction.revocation?.stamp) }
        }

        /// All of Apple's ids have been numbers so far. Other ids are stored as text.
        private static func number(_ id: String) -> UInt64? { UInt64(id).flatMap { String($0) == id ? $0 : nil } }

        private mutating func append(_ number: UInt64?, _ id: String) {
            if let number { body.append(number) } else { body.append(id) }
        }

        private mutating func write(_ sale: Sale, revocation: Stamp?) {
            // Nearly every signed transaction states that nothing was refunded, and this statement has the same stamp as the one
            // about revocation. A flag then replaces the whole refund, to save space.
            let refund = sale.refund.flatMap { $0 == revocation.map { Stamped(Refund.none, $0) } ? nil : $0 }
            var presence: SalePresence = []
            if sale.price != nil { presence.insert(.price) }
            if sale.currency != nil { presence.insert(.currency) }
            if sale.storefront != nil { presence.insert(.storefront) }
            if sale.discount != nil { presence.insert(.discount) }
            if sale.seats != nil { presence.insert(.seats) }
            if case .charged? = sale.seats { presence.insert(.sumOfSeats) }
            if sale.refund != nil { presence.formUnion(refund == nil ? .refund : [.refund, .refundInFull]) }
            body.append(byte: presence.rawValue)
            if let price = sale.price { body.append(signed: price) }
            for text in [sale.currency, sale.storefront, sale.discount].compactMap(\.self) { body.append(index(of: text)) }
            if case .charged(let sum)? = sale.seats { body.append(signed: sum) }
            if let refund { write(refund) }
        }

        private mutating func write(_ refund: Stamped<Refund>) {
            body.append(index(of: refund.stamp))
            switch refund.value {
            case .none: body.append(byte: RefundTag.none)
            case .unknown: body.append(byte: RefundTag.unknown)
            case .part(let part, let whole):
                body.append(byte: RefundTag.part)
                body.append(signed: part)
                body.append(signed: whole)
            }
        }

        private mutating func write(_ particulars: Particulars) {
            body.append(UInt64(particulars.facts.count))
            for fact in particulars.facts {
                body.append(index(of: fact.name))
                body.append(index(of: fact.value))
                body.append(byte: fact.isRecognised ? 1 : 0)
            }
        }

        private mutating func index(of text: String) -> UInt64 { texts.index(of: ExactText(text)) }

        private mutating func index(of stamp: Stamp) -> UInt64 { stamps.index(of: stamp) }
    }

    /// Values in the order of their first use, each once.
    private struct ValueIndex<Value: Hashable> {
        /// Up to this many values are searched in order.
        ///
        /// Most chains have one or two, for which hashing would cost more. A chain of thousands of transactions may have more.
        private static var few: Int { 16 }

        private(set) var values: [Value] = []
        private var places: [Value: Int] = [:]

        /// Returns the place of a value, which is appended if it is new.
        mutating func index(of value: Value) -> UInt64 {
            if let index = values.count <= Self.few ? values.lastIndex(of: value) : places[value] { return UInt64(index) }
            values.append(value)
            if values.count == Self.few + 1 {
                places = Dictionary(uniqueKeysWithValues: values.enumerated().map { ($1, $0) })
            } else if values.count > Self.few {
                places[value] = values.count - 1
            }
            return UInt64(values.count - 1)
        }
    }
}
