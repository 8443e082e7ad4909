/// Sebastiano Vigna's SplitMix64: the same numbers from the same seed, everywhere.
public struct SplitMix64: RandomNumberGenerator {
    private var state: UInt64

    /// Begins at a seed.
    public init(seed: UInt64) { state = seed }

    /// The next 64 bits.
    public mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
        return mixed ^ mixed >> 31
    }

    /// A number below a bound.
    public mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

    /// Any of the values, each as likely.
    public mutating func any<Value>(of values: [Value]) -> Value { values[below(values.count)] }

    /// True once in so many times.
    public mutating func once(in times: UInt64) -> Bool { next() % times == 0 }
}
