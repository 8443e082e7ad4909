/// What is wrong with a form, beside the inputs that it is about.
struct FormErrors {
    /// None.
    static let none = FormErrors([])

    /// In the order of the form: the id of an element, and what is wrong there.
    private(set) var all: [(id: String, text: String)]

    init(_ all: [(id: String, text: String)]) { self.all = all }

    /// Everything about one input.
    subscript(id: String) -> String { all.filter { $0.id == id }.map(\.text).joined(separator: " ") }

    /// For the notice above the form.
    var values: [[String: Any]] { once.map { ["id": $0.id, "text": $0.text] } }

    /// A text that several inputs have, once.
    var once: [(id: String, text: String)] {
        var told: Set<String> = []
        return all.filter { told.insert($0.text).inserted }
    }

    var isEmpty: Bool { all.isEmpty }
}
