/// The values of one trait, each once.
struct TraitNames: Sendable {
    /// How a value reads that nobody knew.
    static let unknown = "unknown"
    /// How values read of which there are too many.
    static let other = "other"

    private var names = [Self.unknown, Self.other]
    private var numbers: [ExactText: UInt16] = [:]

    /// The number of a value; 0 for nil, 1 for those beyond what can be told apart.
    mutating func number(of name: String?) -> UInt16 {
        guard let name, !name.isEmpty else { return 0 }
        if let number = numbers[ExactText(name)] { return number }
        guard names.count < Int(UInt16.max) else { return 1 }
        numbers[ExactText(name)] = UInt16(names.count)
        names.append(name)
        return UInt16(names.count - 1)
    }

    /// The value of a number.
    func name(_ number: UInt16) -> String { names[Int(number)] }
}
