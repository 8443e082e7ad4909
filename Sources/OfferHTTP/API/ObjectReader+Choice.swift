import OfferService
import WireText

// Generic code is specialised for its types only in its own module.
extension ObjectReader {
    private static let maxChoiceLength = 64

    /// One of a few words; nil when absent or at fault.
    func optionalChoice<Choice: RawRepresentable & CaseIterable>(_ name: String) -> Choice?
    where Choice.RawValue == String {
        guard let value = value(name) else { return nil }
        guard case .string(let text) = value, text.utf8.count <= ObjectReader.maxChoiceLength, let choice = Choice(rawValue: text)
        else {
            refuse(name, "must be one of \(Choice.allCases.map(\.rawValue).joined(separator: ", "))")
            return nil
        }
        return choice
    }
}
