/// Further fields of the App Store's data about a purchase or a renewal, in Apple's words.
///
/// They are shown to people. No rule depends on them.
public struct Particulars: Hashable, Comparable, Sendable {
    /// One field as received.
    public struct Fact: Hashable, Sendable {
        /// Apple's name of the field.
        public let name: String
        /// The value as text; JSON if it is an object.
        public let value: String
        /// False for a value of an enumeration that this version does not recognise.
        public let isRecognised: Bool

        /// Stores the given values without checking them.
        public init(name: String, value: String, isRecognised: Bool = true) {
            self.name = name
            self.value = value
            self.isRecognised = isRecognised
        }
    }

    /// The fields, in the order of their names.
    public let facts: [Fact]

    /// Sorts the fields by name.
    ///
    /// - Parameter facts: the fields in any order, each name once.
    public init(_ facts: [Fact]) { self.facts = facts.sorted { TextOrder.precedes($0.name, $1.name) } }

    /// Returns the value of a field, or nil if it is absent.
    public func value(of name: String) -> String? { facts.first { $0.name == name }?.value }

    /// The order serves only for merging.
    public static func < (left: Particulars, right: Particulars) -> Bool {
        left.facts.lexicographicallyPrecedes(right.facts) { left, right in
            if !left.name.utf8.elementsEqual(right.name.utf8) { return TextOrder.precedes(left.name, right.name) }
            if !left.value.utf8.elementsEqual(right.value.utf8) { return TextOrder.precedes(left.value, right.value) }
            return !left.isRecognised && right.isRecognised
        }
    }
}
