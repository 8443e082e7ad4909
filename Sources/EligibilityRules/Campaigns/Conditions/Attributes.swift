/// What a caller states about a customer.
///
/// Attributes are not verified. Only conditions that name an attribute read it.
public struct Attributes: Sendable {
    /// No attributes, for a caller that states nothing.
    public static let none = Attributes([:])

    /// The largest number of attributes in a request.
    public static let limit = 50

    // The hashes of the names, in the same order. Comparing hashes is fast enough to search fifty names without a dictionary.
    private let hashes: [UInt32]
    private let names: [ExactText]
    private let values: [ConditionValue]

    /// Sorts the attributes by name.
    ///
    /// - Parameter attributes: the values by name. A list, or a number that is not finite, counts as missing.
    public init(_ attributes: [String: ConditionValue]) {
        let sorted = attributes.map { (ExactText($0.key), $0.value) }.sorted { $0.0 < $1.0 }
        names = sorted.map(\.0)
        values = sorted.map(\.1)
        hashes = names.map { Murmur3.hash($0.string) }
    }

    /// All attributes, in the order of their names.
    public var all: [(name: String, value: ConditionValue)] { zip(names, values).map { ($0.string, $1) } }

    /// Returns the value of an attribute if it is a text; otherwise nil.
    public func text(_ name: String) -> String? { names.isEmpty ? nil : self[AttributeName(name)]?.text }

    /// The value of an attribute; nil if it is missing, a list, or a number that is not finite.
    subscript(_ name: AttributeName) -> ConditionValue? {
        for index in hashes.indices where hashes[index] == name.hash && names[index] == name.text {
            switch values[index] {
            case .text, .boolean: return values[index]
            case .number(let number): return number.isFinite ? values[index] : nil
            case .list: return nil
            }
        }
        return nil
    }
}

struct AttributeName: Hashable, Sendable {
    let text: ExactText
    let hash: UInt32

    init(_ name: String) {
        text = ExactText(name)
        hash = Murmur3.hash(name)
    }
}
