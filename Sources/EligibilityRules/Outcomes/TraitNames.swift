/// The values of one trait, each once.
struct TraitNames: Sendable {
    /// The name of an unknown value.
    static let unknown = "unknown"
    /// The name of the values that have none of their own, because there are too many.
    static let other = "other"

    private var names = [Self.unknown, Self.other]
    private var numbers: [ExactText: UInt16] = [:]

    /// Returns the number of a value: 0 for none, 1 for values beyond the numbers.
    mutating func number(of name: String?) -> UInt16 {
        guard let name, !name.isEmpty else { return 0 }
        if let number = numbers[ExactText(name)] { return number }
        guard names.count < Int(UInt16.max) else { return 1 }
        numbers[ExactText(name)] = UInt16(names.count)
        names.append(name)
        return UInt16(names.count - 1)
    }

    /// Returns the value of a number.
    func name(_ number: UInt16) -> String { names[Int(number)] }
}
