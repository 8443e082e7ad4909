/// How far a store has come, to be kept outside of the store: a store that is not this far was replaced by an older copy.
///
/// It is noted only after the commit, so a store that lost nothing is never behind it.
package struct StorePosition: Equatable, Sendable {
    /// A place that the store has passed.
    package struct Place: Equatable, Sendable {
        /// A number that only grows, such as a row's.
        package var number: Int64
        /// Distinguishes this store's place from that of a copy that went its own way, such as the link of the row.
        package var proof: [UInt8]

        package init(_ number: Int64, proof: [UInt8] = []) { (self.number, self.proof) = (number, proof) }
    }

    private static let end = "end"

    /// The store's identity. Has no spaces or line ends.
    package var store: String
    /// By table, or another name without spaces.
    package var places: [String: Place]

    package init(store: String, places: [String: Place] = [:]) { (self.store, self.places) = (store, places) }

    /// The form in a file: lines, the last of which tells a whole text from a part.
    package var text: String {
        let lines = places.sorted { $0.key < $1.key }.map { name, place in
            "\(name) \(place.number) \(Hexadecimal.encode(place.proof))\n"
        }
        return "store \(store)\n\(lines.joined())\(Self.end)\n"
    }

    /// Returns nil for a text that is not whole. The end of a longer, earlier text may follow it.
    package init?(text: some StringProtocol) {
        let lines = text.split(separator: "\n").map { $0.split(separator: " ") }
        guard let end = lines.firstIndex(where: { $0.count == 1 && $0[0] == Self.end }), lines[0].count == 2,
            lines[0][0] == "store"
        else { return nil }
        self.init(store: String(lines[0][1]))
        for line in lines[1..<end] {
            guard (2...3).contains(line.count), let number = Int64(line[1]) else { return nil }
            guard let proof = Hexadecimal.decode(line.count == 3 ? line[2] : "") else { return nil }
            places[String(line[0])] = Place(number, proof: proof)
        }
    }
}
