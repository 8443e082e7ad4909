import EligibilityRules
import TestRandomness

/// Draws how many of so many units have something, by the table of the distribution: many units cost one random number.
struct BinomialDraw {
    private var tables: [[Double]]

    /// - Parameters:
    ///   - most: of units, in one draw.
    ///   - share: the chance of each.
    init(upTo most: Int, share: Double) {
        tables = (0...most).map { units in
            // Pascal's rule, one unit after the other.
            var chances = [1.0]
            for _ in 0..<units {
                chances = (0...chances.count).map { count in
                    (count < chances.count ? chances[count] * (1 - share) : 0) + (count > 0 ? chances[count - 1] * share : 0)
                }
            }
            var sum = 0.0
            return chances.map { chance in
                sum += chance
                return sum
            }
        }
    }

    /// How many of these units.
    func next(of units: Int, _ random: inout SplitMix64) -> Int {
        let number = Double(random.next() >> 11) * 0x1p-53
        let table = tables[units]
        // From the middle, where most draws end.
        var count = units / 2
        while count > 0, table[count - 1] > number { count -= 1 }
        while count < units, table[count] <= number { count += 1 }
        return count
    }
}
