/// The limits that a signature or a redemption counts under, or the totals that it counts for.
package struct LimitNames: Equatable, Sendable {
    /// The offer's own limits. A redemption itself determines which of them it counts under.
    package var own: [LimitKey]
    /// Limits that a redemption counts under because its signature did.
    package var staying: [LimitKey]

    package init(_ own: [LimitKey] = [], staying: [LimitKey] = []) {
        self.own = own
        self.staying = staying
    }

    /// All keys.
    package var keys: [LimitKey] { staying.isEmpty ? own : own + staying }

    /// Whether there are no keys.
    package var isEmpty: Bool { own.isEmpty && staying.isEmpty }
}
