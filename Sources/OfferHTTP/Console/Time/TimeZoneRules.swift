/// A place's offsets from UTC over time, from a file of the IANA time zone database (RFC 9636).
struct TimeZoneRules: Equatable, Sendable {
    /// UTC, which has no summer time.
    static let utc = TimeZoneRules(name: "UTC", transitions: [], offsets: [], first: 0, rule: nil)

    /// The IANA name.
    let name: String
    // The seconds since 1970 at which offsets begin, ascending, and the offsets, in seconds east of UTC.
    private let transitions: [Int64]
    private let offsets: [Int64]
    private let first: Int64
    // The rule after the last transition.
    private let rule: SummerTimeRule?

    private init(name: String, transitions: [Int64], offsets: [Int64], first: Int64, rule: SummerTimeRule?) {
        self.name = name
        self.transitions = transitions
        self.offsets = offsets
        self.first = first
        self.rule = rule
    }

    /// Reads a file; returns nil if it is not one of the database.
    init?(name: String, _ file: [UInt8]) {
        guard let part = TimeZoneFile(file) else { return nil }
        self.init(
            name: name, transitions: part.times, offsets: part.types.map { part.offsets[$0] }, first: part.offsets[0],
            rule: SummerTimeRule(part.footer))
    }

    /// Returns the offset in seconds east of UTC.
    ///
    /// - Parameter second: seconds since 1970, in UTC.
    func offset(at second: Int64) -> Int64 {
        guard let last = transitions.last, second < last else { return rule?.offset(at: second) ?? offsets.last ?? first }
        var (low, high) = (0, transitions.count)
        while low < high {
            let middle = (low + high) / 2
            if transitions[middle] <= second { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? first : offsets[low - 1]
    }

    /// Returns the seconds in UTC at which the clocks show a time: none where they skip it, two where they repeat it.
    ///
    /// - Parameter local: seconds since 1970, as if the clocks showed UTC.
    func seconds(ofLocal local: Int64) -> [Int64] {
        let candidates = Set([offset(at: local - 90_000), offset(at: local + 90_000)].map { local - $0 })
        return candidates.filter { offset(at: $0) == local - $0 }.sorted()
    }

    /// The name for people: `Berlin time`.
    var label: String {
        let place = name.split(separator: "/").last.map { String($0).replacing("_", with: " ") } ?? name
        return name == "UTC" ? "UTC" : "\(place) time"
    }
}
