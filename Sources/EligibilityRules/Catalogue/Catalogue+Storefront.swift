extension Catalogue {
    /// Returns the storefront whose prices stand for an audience: the first of those that it names, else USA, else the first by
    /// order. Nil if no prices are known there.
    ///
    /// - Parameter named: ISO 3166-1 alpha-3; empty: the audience names none.
    public func priceStorefront(among named: [String]) -> String? {
        let known = Set(sorted.flatMap(\.prices.keys))
        if !named.isEmpty { return named.first(where: known.contains) }
        return known.contains("USA") ? "USA" : known.min(by: TextOrder.precedes)
    }
}
