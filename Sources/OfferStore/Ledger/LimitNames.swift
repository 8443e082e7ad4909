/// The limits that a signature or a redemption counts under, or the totals that it counts for.
package struct LimitNames: Equatable, Sendable {
    /// An offer's: a redemption says itself under which it counts.
    package var own: [LimitKey]
    /// A redemption counts under these because its signature did.
    package var staying: [LimitKey]

    /// Takes the values as they are.
    package init(_ own: [LimitKey] = [], staying: [LimitKey] = []) {
        self.own = own
        self.staying = staying
    }

    /// All of them.
    package var keys: [LimitKey] { staying.isEmpty ? own : own + staying }

    /// Whether there are none.
    package var isEmpty: Bool { own.isEmpty && staying.isEmpty }
}
