/// How fast an experiment gets its units.
public struct ExposurePace: Hashable, Sendable {
    /// Units exposed a day, of all variants together, lately.
    public let unitsPerDay: Double
    /// How long a unit has to reach the goal, in days.
    public let windowDays: Double

    /// Takes the values as they are.
    public init(unitsPerDay: Double, windowDays: Double) {
        self.unitsPerDay = unitsPerDay
        self.windowDays = windowDays
    }

    /// Days until so many units have been exposed and their windows are over, rounded up; nil if that never comes.
    func days(until needed: Int, exposed: Int, matured: Int) -> Int? {
        if matured >= needed { return 0 }
        let days =
            exposed < needed
            ? Double(needed - exposed) / unitsPerDay + windowDays : min(Double(needed - matured) / unitsPerDay, windowDays)
        return days.isFinite && days >= 0 && days < 100_000 ? Int(days.rounded(.up)) : nil
    }
}
