package import EligibilityRules

/// The names under which signatures and redemptions of one offer are counted, in one environment.
package struct OfferLimitNames: Sendable {
    // No id contains it: it separates what is signed.
    private static let separator: StaticString = "\u{2063}"

    private let bundleID: String
    private let environment: PurchaseEnvironment
    private let productID: String
    private let offerID: String

    package init(bundleID: String, environment: PurchaseEnvironment, productID: String, offerID: String) {
        self.bundleID = bundleID
        self.environment = environment
        self.productID = productID
        self.offerID = offerID
    }

    /// All of the offer.
    package var total: String { name("", "") }

    /// Those of whoever the app says it is.
    func customer(_ id: String) -> String { name("customer", id) }

    /// Those of whoever has an account token.
    func token(_ token: String) -> String { name("token", token) }

    /// Those of whoever made a purchase.
    func account(_ account: PurchaseAccount) -> String {
        switch account {
        case .apple(let id): name("account", id)
        case .subscription(let id): name("subscription", id)
        }
    }

    /// Put together at once, since each limited signature needs some: piece by piece costs a microsecond.
    private func name(_ kind: StaticString, _ id: String) -> String {
        let length = bundleID.utf8.count + productID.utf8.count + offerID.utf8.count + kind.utf8CodeUnitCount + id.utf8.count
        return String(unsafeUninitializedCapacity: length + 4 * Self.separator.utf8CodeUnitCount + 1) { bytes in
            var end = 0
            func append(_ part: UnsafeBufferPointer<UInt8>) {
                end += UnsafeMutableBufferPointer(rebasing: bytes[end...]).update(fromContentsOf: part)
            }
            func append(_ text: StaticString) { text.withUTF8Buffer(append) }
            func append(_ text: String) {
                var text = text
                text.withUTF8(append)
            }
            append(bundleID)
            append(Self.separator)
            bytes[end] = UInt8(ascii: "0") + environment.rawValue
            end += 1
            append(Self.separator)
            append(productID)
            append(Self.separator)
            append(offerID)
            append(Self.separator)
            append(kind)
            append(id)
            return end
        }
    }
}
