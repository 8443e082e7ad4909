/// The faults of a form, each with the id of the input that it is about.
struct FormErrors {
    static let none = FormErrors([])

    /// The faults in the order of the form: the id of the input, and the text.
    private(set) var all: [(id: String, text: String)]

    init(_ all: [(id: String, text: String)]) { self.all = all }

    /// The texts of all faults of one input, as one text; empty if it has none.
    subscript(id: String) -> String { all.filter { $0.id == id }.map(\.text).joined(separator: " ") }

    /// The faults for the notice above the form, which shows each text only once.
    var views: [ErrorView] { once.map { ErrorView(id: $0.id, text: $0.text) } }

    /// The faults without those that repeat the text of an earlier one.
    var once: [(id: String, text: String)] {
        var reported: Set<String> = []
        return all.filter { reported.insert($0.text).inserted }
    }

    var isEmpty: Bool { all.isEmpty }
}
