/// How far a store has come, noted outside of the store.
///
/// A store that has not come as far as the note says was replaced by an older copy. The position is noted only after a commit, so
/// a store that lost nothing is never behind it.
package struct StorePosition: Equatable, Sendable {
    /// A place that the store has passed.
    package struct Place: Equatable, Sendable {
        /// A number that only grows, such as a row's.
        package var number: Int64
        /// Bytes that distinguish this store from a copy of it that was written to separately, such as the link of the row.
        package var proof: [UInt8]

        package init(_ number: Int64, proof: [UInt8] = []) { (self.number, self.proof) = (number, proof) }
    }

    private static let end = "end"

    /// The store's identity. Has no spaces or line ends.
    package var store: String
    /// The places, by table or by another name without spaces.
    package var places: [String: Place]

    package init(store: String, places: [String: Place] = [:]) { (self.store, self.places) = (store, places) }

    /// The position as lines of text, for a file.
    ///
    /// The last line shows that the text is complete.
    package var text: String {
        let lines = places.sorted { $0.key < $1.key }.map { name, place in
            "\(name) \(place.number) \(Hexadecimal.encode(place.proof))\n"
        }
        return "store \(store)\n\(lines.joined())\(Self.end)\n"
    }

    /// Parses a text; nil if it is not complete.
    ///
    /// The end of a longer, earlier text may follow the last line.
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
