/// The progress of a count.
package struct CountingProgress: Equatable, Sendable {
    /// The number of units or customers that were examined so far.
    package let done: Int
    /// The number of units or customers in all; nil while it is not known.
    package let total: Int?

    package init(done: Int, total: Int?) {
        self.done = done
        self.total = total
    }
}
