/// What the decision on a reservation needs of the uses under its names. Nothing, if they are only taken.
package struct LimitNeeds: OptionSet, Sendable {
    /// All uses.
    package static let count = LimitNeeds(rawValue: 1)
    /// The latest outstanding signatures that can be returned again.
    package static let reuse = LimitNeeds(rawValue: 2)

    /// How many of the latest are looked at: a customer may have thousands.
    package static let latest = 32

    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The needs of a reservation.
    package init(_ reservation: Reservation) {
        guard case .uses(let terms) = reservation.rule else {
            self = []
            return
        }
        self = reservation.isReuse ? .reuse : []
        if terms.limitsUses { insert(.count) }
    }
}
