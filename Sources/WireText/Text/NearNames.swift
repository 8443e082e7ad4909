/// Finds known names that are similar to a mistyped one.
package enum NearNames {
    /// The longest name that is compared, in bytes, and the most known names with which it is compared.
    ///
    /// There are limits because comparing takes time, and a client without an access key may send any names.
    private static let (longest, most) = (64, 100)

    /// Returns `; do you mean …?` if known names are similar to an unknown one; otherwise an empty text.
    package static func suggestion(for name: String, among known: some Sequence<String>) -> String {
        let near = near(name, among: known)
        return near.isEmpty ? "" : "; do you mean \(near.joined(separator: " or "))?"
    }

    /// Returns the known names that are similar to an unknown one.
    package static func near(_ name: String, among known: some Sequence<String>) -> [String] {
        let letters = Array(name.lowercased().utf8)
        let allowed = letters.count < 3 ? 0 : letters.count < 4 ? 1 : 2
        guard allowed > 0, letters.count <= longest else { return [] }
        return known.prefix(most).filter { other in
            let length = other.utf8.count
            guard length <= longest, abs(length - letters.count) <= allowed else { return false }
            return distance(letters, Array(other.lowercased().utf8)) <= allowed
        }
    }

    /// Returns the Levenshtein distance of two names: how many letters must be inserted, deleted or changed.
    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
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
