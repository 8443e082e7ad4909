/// How fast an experiment gains units.
public struct ExposurePace: Hashable, Sendable {
    /// The units exposed per day, of all variants together, recently.
    public let unitsPerDay: Double
    /// The goal's window, in days.
    public let windowDays: Double

    /// Takes the values as they are.
    public init(unitsPerDay: Double, windowDays: Double) {
        self.unitsPerDay = unitsPerDay
        self.windowDays = windowDays
    }

    /// Returns the days until `needed` units have been exposed and their windows are over, rounded up; nil if that never happens.
    func days(until needed: Int, exposed: Int, matured: Int) -> Int? {
        if matured >= needed { return 0 }
        let days =
            exposed < needed
            ? Double(needed - exposed) / unitsPerDay + windowDays : min(Double(needed - matured) / unitsPerDay, windowDays)
        return days.isFinite && days >= 0 && days < 100_000 ? Int(days.rounded(.up)) : nil
    }
}
