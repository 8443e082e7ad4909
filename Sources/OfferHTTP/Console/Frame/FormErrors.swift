/// The faults of a form, beside the inputs that they are about.
struct FormErrors {
    /// No faults.
    static let none = FormErrors([])

    /// The faults in the order of the form: the id of an element, and the text.
    private(set) var all: [(id: String, text: String)]

    init(_ all: [(id: String, text: String)]) { self.all = all }

    /// Returns all faults of one input.
    subscript(id: String) -> String { all.filter { $0.id == id }.map(\.text).joined(separator: " ") }

    /// The faults as the notice above the form shows them, each text once.
    var views: [ErrorView] { once.map { ErrorView(id: $0.id, text: $0.text) } }

    /// The faults, without repeated texts.
    var once: [(id: String, text: String)] {
        var reported: Set<String> = []
        return all.filter { reported.insert($0.text).inserted }
    }

    var isEmpty: Bool { all.isEmpty }
}
