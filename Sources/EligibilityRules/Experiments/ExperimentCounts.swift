/// The counts that a verdict rests on, one entry per variant, the control first.
struct ExperimentCounts {
    /// Units exposed, including those whose window is open.
    var exposed: [Int]
    /// The outcomes of the units whose window is over.
    var outcomes: [Conversions]
    /// The outcomes of the first units up to the horizon; nil until the last of their windows is over.
    var atHorizon: [Conversions]?
}
