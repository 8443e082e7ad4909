package import EligibilityRules

/// The stored name of a limit: a hash with the store's key, which reveals no customer.
package struct LimitKey: Hashable, Sendable {
    package let hash: Int64

    package init(_ hash: Int64) { self.hash = hash }

    // A keyed hash needs no second hash in dictionaries, which would run ten times for each signature.
    package func _rawHashValue(seed: Int) -> Int { Int(truncatingIfNeeded: hash) ^ seed }
}

/// The scope of a limit: the text that begins all names of its uses.
///
/// A class, to be created once: stores recognise the instance, and avoid hashing the text again.
public final class LimitScope: Sendable {
    /// The text, which ends with a character that no id contains, so that an id cannot be taken for a part of it.
    public let text: String

    /// Creates a scope of which all names begin with this text.
    public init(_ text: String) {
        var text = text
        text.makeContiguousUTF8()
        self.text = text
    }

    /// A name as one text.
    public func text(of name: LimitName) -> String { "\(text)\(name.kind.word)\(name.id)" }
}

/// The limits that a signature or a redemption counts under, or the totals that it counts for.
package struct LimitNames: Equatable, Sendable {
    /// The offer's own limits. For a redemption they are determined anew whenever its state changes.
    package var own: [LimitKey]
    /// Limits that a redemption counts under because its signature did.
    package var staying: [LimitKey]

    package init(_ own: [LimitKey] = [], staying: [LimitKey] = []) {
        self.own = own
        self.staying = staying
    }

    package var keys: [LimitKey] { staying.isEmpty ? own : own + staying }

    package var isEmpty: Bool { own.isEmpty && staying.isEmpty }

    /// Whose place a signature with these names belongs to: the first name in each scope.
    ///
    /// One name alone decides. If any common name did, a caller could chain customers to each other, and all of them would share
    /// one place.
    package var owners: [LimitKey] { [own.first, staying.first].compactMap(\.self) }
}

/// The total use of a limit.
package struct LimitTotal: Equatable, Sendable {
    /// Number of places that outstanding signatures hold.
    package var outstanding: Int
    /// Number of redemptions.
    package var redeemed: Int
    /// Number of refunded redemptions.
    package var refunded: Int
    /// When the first of these places lapses; nil if there is none, or it was not looked up.
    package var firstUntil: Instant?

    package init(outstanding: Int = 0, redeemed: Int = 0, refunded: Int = 0, firstUntil: Instant? = nil) {
        self.outstanding = outstanding
        self.redeemed = redeemed
        self.refunded = refunded
        self.firstUntil = firstUntil
    }

    /// The number of uses that count.
    package func counted(withRefunded: Bool) -> Int { outstanding + redeemed - (withRefunded ? 0 : refunded) }
}
