/// How fast an experiment gains units.
public struct ExposurePace: Hashable, Sendable {
    /// The units exposed per day, of all variants together, recently.
    public let unitsPerDay: Double
    /// The goal's window, in days.
    public let windowDays: Double

    /// The units of the first days from now, where they are known one by one; `unitsPerDay` follows.
    public let firstDays: [Double]

    /// Takes the values as they are.
    public init(unitsPerDay: Double, windowDays: Double, firstDays: [Double] = []) {
        self.unitsPerDay = unitsPerDay
        self.windowDays = windowDays
        self.firstDays = firstDays
    }

    /// Returns the days until `needed` units have been exposed and their windows are over, rounded up; nil if that never happens.
    func days(until needed: Int, exposed: Int, matured: Int) -> Int? {
        if matured >= needed { return 0 }
        let days =
            exposed < needed
            ? days(toExpose: needed - exposed) + windowDays : min(Double(needed - matured) / unitsPerDay, windowDays)
        return days.isFinite && days >= 0 && days < 100_000 ? Int(days.rounded(.up)) : nil
    }

    private func days(toExpose units: Int) -> Double {
        var rest = Double(units)
        for (day, gained) in firstDays.enumerated() {
            guard gained < rest else { return Double(day) + rest / gained }
            rest -= gained
        }
        return Double(firstDays.count) + rest / unitsPerDay
    }
}
