extension Sequence where Element: Hashable {
    /// The elements that occur more than once.
    var repeated: Set<Element> {
        var (seen, repeated) = (Set<Element>(), Set<Element>())
        for element in self where !seen.insert(element).inserted { repeated.insert(element) }
        return repeated
    }
}
