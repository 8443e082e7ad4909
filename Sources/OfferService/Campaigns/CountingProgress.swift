/// How far somebody has come with counting an experiment.
package struct CountingProgress: Equatable, Sendable {
    /// Units whose purchases were looked at.
    package let done: Int
    /// All of them; nil while their exposures are still read.
    package let total: Int?

    /// Takes the values as they are.
    package init(done: Int, total: Int?) {
        self.done = done
        self.total = total
    }
}
