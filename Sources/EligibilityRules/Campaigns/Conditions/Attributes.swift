/// What a caller states about a customer. It is unverified, and read only by conditions that name it.
public struct Attributes: Sendable {
    /// None.
    public static let none = Attributes([:])

    /// The largest number of attributes in a request.
    public static let limit = 50

    // Hashes of the names, in the same order. Comparing them first finds a name among fifty at once.
    private let hashes: [UInt32]
    private let names: [ExactText]
    private let values: [ConditionValue]

    /// - Parameter attributes: by name. A list, or a number that is not finite, counts as no value.
    public init(_ attributes: [String: ConditionValue]) {
        let sorted = attributes.map { (ExactText($0.key), $0.value) }.sorted { $0.0 < $1.0 }
        names = sorted.map(\.0)
        values = sorted.map(\.1)
        hashes = names.map { Murmur3.hash($0.string) }
    }

    /// All attributes, in the order of their names.
    public var all: [(name: String, value: ConditionValue)] { zip(names, values).map { ($0.string, $1) } }

    /// Returns the text of an attribute, or nil if there is none.
    public func text(_ name: String) -> String? { names.isEmpty ? nil : self[AttributeName(name)]?.text }

    /// The value of an attribute; nil if the caller gives none that is usable.
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

/// An attribute's name with its hash.
struct AttributeName: Hashable, Sendable {
    let text: ExactText
    let hash: UInt32

    init(_ name: String) {
        text = ExactText(name)
        hash = Murmur3.hash(name)
    }
}
