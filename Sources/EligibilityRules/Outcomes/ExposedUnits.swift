/// The units of an experiment, collected from exposures in any order.
///
/// Each unit takes some hundred bytes of memory.
public struct ExposedUnits: Sendable {
    private struct Entry {
        var unit: String
        var exposedAt: Instant
        /// The index of the variant in the plan; −1 for the holdout.
        var variant: Int16
        var traits: ExposureTraits
        var isInTwoVariants = false
        var isSigned = false
        var isEarlier = false
        /// Whether the unit was joined to another one, so that this entry no longer counts.
        var isGone = false
    }

    private let revisions: ExperimentRevisions
    private let now: Instant
    private var entries: [Entry] = []
    private var places: [ExactText: Int32] = [:]
    private var names: [ExposureTraits.Dimension: TraitNames] = [:]

    /// Creates an empty collection.
    ///
    /// - Parameter now: the instant of the count. Later exposures are ignored.
    public init(_ revisions: ExperimentRevisions, now: Instant) {
        self.revisions = revisions
        self.now = now
        for dimension in ExposureTraits.Dimension.allCases { names[dimension] = TraitNames() }
    }

    /// The number of units, including those that no variant counts.
    public var count: Int { places.count }

    /// Adds an exposure; if a unit has several, the earliest one counts.
    public mutating func add(_ exposure: UnitExposure) {
        guard exposure.at <= now, exposure.revision <= revisions.numbers.upperBound else { return }
        let isEarlier = exposure.revision < revisions.numbers.lowerBound
        // A unit that was exposed to an earlier revision is not counted, so its variant does not matter.
        let variant = isEarlier ? -1 : exposure.variant.map { revisions.place(of: $0) } ?? -1
        guard let variant else { return }
        let entry = Entry(
            unit: exposure.unit, exposedAt: exposure.at, variant: Int16(variant), traits: traits(of: exposure),
            isSigned: exposure.isSigned && !isEarlier, isEarlier: isEarlier)
        merge(entry, at: ExactText(exposure.unit))
    }

    /// Returns up to `limit` ids, in the order in which units were first added, beginning with the one at `start`.
    public func ids(from start: Int, limit: Int) -> [String] {
        entries[min(start, entries.count)..<min(entries.count, start + limit)].map(\.unit)
    }

    /// Joins a unit to another one, because their customers were merged into one.
    ///
    /// The other unit need not have been added yet.
    public mutating func join(_ unit: String, into other: String) {
        guard ExactText(unit) != ExactText(other), let place = places.removeValue(forKey: ExactText(unit)) else { return }
        var entry = entries[Int(place)]
        entries[Int(place)].isGone = true
        entry.unit = other
        merge(entry, at: ExactText(other))
    }

    private mutating func merge(_ entry: Entry, at key: ExactText) {
        guard let place = places[key] else {
            places[key] = Int32(entries.count)
            entries.append(entry)
            return
        }
        var merged = entries[Int(place)]
        merged.isEarlier = merged.isEarlier || entry.isEarlier
        merged.isInTwoVariants = merged.isInTwoVariants || entry.isInTwoVariants || merged.variant != entry.variant
        merged.isSigned = merged.isSigned || entry.isSigned
        if entry.exposedAt < merged.exposedAt {
            (merged.exposedAt, merged.variant, merged.traits) = (entry.exposedAt, entry.variant, entry.traits)
        }
        entries[Int(place)] = merged
    }

    private mutating func traits(of exposure: UnitExposure) -> ExposureTraits {
        ExposureTraits(
            storefront: names[.storefront]!.number(of: exposure.source.storefront),
            appVersion: names[.appVersion]!.number(of: exposure.source.appVersion),
            caller: names[.caller]!.number(of: exposure.source.caller))
    }

    /// Returns the value of a trait that a number stands for; 0 stands for `unknown`.
    func name(_ dimension: ExposureTraits.Dimension, _ number: UInt16) -> String { names[dimension]!.name(number) }

    /// Returns all units in the order of their first exposure.
    public func sorted() -> [ExposedUnit] {
        entries.lazy.filter { !$0.isGone }.map { entry in
            ExposedUnit(
                id: entry.unit, exposedAt: entry.exposedAt, place: Self.place(of: entry), isSigned: entry.isSigned,
                traits: entry.traits)
        }.sorted { left, right in
            left.exposedAt != right.exposedAt ? left.exposedAt < right.exposedAt : TextOrder.precedes(left.id, right.id)
        }
    }

    private static func place(of entry: Entry) -> ExposedUnit.Place {
        if entry.isEarlier { return .earlierRevision }
        if entry.isInTwoVariants { return .twoVariants }
        return entry.variant < 0 ? .holdout : .variant(Int(entry.variant))
    }
}

/// The traits of a unit at its first exposure.
///
/// Each value is a number that the unit's `ExposedUnits` has given to it, because numbers take less memory than texts.
struct ExposureTraits: Hashable {
    /// The kinds of traits, in the order in which their segments are shown.
    enum Dimension: String, CaseIterable {
        case storefront, appVersion, caller
    }

    var storefront: UInt16
    var appVersion: UInt16
    var caller: UInt16

    subscript(dimension: Dimension) -> UInt16 {
        switch dimension {
        case .storefront: storefront
        case .appVersion: appVersion
        case .caller: caller
        }
    }
}

/// The values of one kind of trait, each with its number.
struct TraitNames: Sendable {
    /// The name of an unknown value.
    static let unknown = "unknown"
    /// The name of all values that have no number or no segment of their own, because there are too many.
    static let other = "other"

    private var names = [Self.unknown, Self.other]
    private var numbers: [ExactText: UInt16] = [:]

    /// Returns the number of a value: 0 for an unknown one, and 1 if all numbers are in use.
    mutating func number(of name: String?) -> UInt16 {
        guard let name, !name.isEmpty else { return 0 }
        if let number = numbers[ExactText(name)] { return number }
        guard names.count < Int(UInt16.max) else { return 1 }
        numbers[ExactText(name)] = UInt16(names.count)
        names.append(name)
        return UInt16(names.count - 1)
    }

    /// Returns the value that a number stands for.
    func name(_ number: UInt16) -> String { names[Int(number)] }
}

/// A unit, its first exposure, and where it is counted.
public struct ExposedUnit: Sendable {
    /// Where a unit is counted.
    public enum Place: Hashable, Sendable {
        /// In the variant with this index in the plan.
        case variant(Int)
        case holdout
        /// In no variant, because the unit saw two variants, or one and the holdout.
        case twoVariants
        /// In no variant, because the unit was exposed to an earlier revision with another design.
        case earlierRevision
    }

    /// The id that was bucketed.
    ///
    /// If several units became one customer, it is the customer's current id.
    public let id: String
    /// When the unit was first exposed.
    public let exposedAt: Instant
    /// Where the unit is counted.
    public let place: Place
    /// Whether a signature was issued to the unit.
    public let isSigned: Bool
    /// The unit's traits at its first exposure.
    let traits: ExposureTraits
}
