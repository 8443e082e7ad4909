/// What a caller says of a customer: unverified, and only looked at by conditions that ask for it.
public struct Attributes: Sendable {
    /// None.
    public static let none = Attributes([:])

    /// How many a request may bring.
    public static let limit = 50

    // Of the names, in the same order: comparing them first finds a name among fifty at once.
    private let hashes: [UInt32]
    private let names: [ExactText]
    private let values: [ConditionValue]

    /// - Parameter attributes: by name. A list, or a number that is not finite, is no value.
    public init(_ attributes: [String: ConditionValue]) {
        let sorted = attributes.map { (ExactText($0.key), $0.value) }.sorted { $0.0 < $1.0 }
        names = sorted.map(\.0)
        values = sorted.map(\.1)
        hashes = names.map { Murmur3.hash($0.string) }
    }

    /// In the order of the names.
    public var all: [(name: String, value: ConditionValue)] { zip(names, values).map { ($0.string, $1) } }

    /// The text of a name; nil where there is none.
    public func text(_ name: String) -> String? { names.isEmpty ? nil : self[AttributeName(name)]?.text }

    /// Nil where the caller says nothing that is a value.
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
