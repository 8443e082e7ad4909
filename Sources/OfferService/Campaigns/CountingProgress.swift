/// How far somebody has come with counting.
package struct CountingProgress: Equatable, Sendable {
    /// Units or customers whose purchases were looked at.
    package let done: Int
    /// All of them; nil while that is not known yet.
    package let total: Int?

    /// Takes the values as they are.
    package init(done: Int, total: Int?) {
        self.done = done
        self.total = total
    }
}
