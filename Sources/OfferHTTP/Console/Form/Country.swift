/// A country or territory, by its codes and its English name.
struct Country: Equatable {
    /// The countries of one part of the world, in the order of their names.
    struct Region {
        let name: String
        let countries: [Country]

        /// - Parameter table: a line for each country: two codes and the name.
        init(_ name: String, _ table: String) {
            self.name = name
            countries = table.split(separator: "\n").map { line in
                let parts = line.split(separator: " ", maxSplits: 2).map(String.init)
                return Country(alpha2: parts[0], alpha3: parts[1], name: parts[2])
            }
        }
    }

    /// All countries, in the order of their names.
    static let all = regions.flatMap(\.countries).sorted { $0.name < $1.name }

    /// ISO 3166-1 alpha-2: `DE`.
    let alpha2: String
    /// ISO 3166-1 alpha-3: `DEU`.
    let alpha3: String
    let name: String

    /// Returns the name of a storefront; its code if it is of no country.
    static func name(storefront code: String) -> String { all.first { $0.alpha3 == code }?.name ?? code }

    var isOfEuropeanUnion: Bool { Self.europeanUnion.contains(alpha2) }
}
