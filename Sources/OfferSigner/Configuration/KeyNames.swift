/// The names that a configuration may have at a place.
enum KeyNames {
    /// Returns `; do you mean …?` for an unknown name if a known one is similar; otherwise an empty text.
    static func suggestion(for name: String, among known: [String]) -> String {
        let near = known.filter { distance(name.lowercased(), $0.lowercased()) <= (name.count < 4 ? 1 : 2) }
        return near.isEmpty ? "" : "; do you mean \(near.joined(separator: " or "))?"
    }

    /// Returns how many letters must be inserted, deleted or changed (Levenshtein).
    private static func distance(_ left: String, _ right: String) -> Int {
        var row = Array(0...right.count)
        for (index, letter) in left.enumerated() {
            var diagonal = index
            row[0] = index + 1
            for (column, other) in right.enumerated() {
                let above = row[column + 1]
                row[column + 1] = min(above + 1, row[column] + 1, diagonal + (letter == other ? 0 : 1))
                diagonal = above
            }
        }
        return row[right.count]
    }
}
