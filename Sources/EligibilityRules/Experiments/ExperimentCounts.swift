/// The counts that a verdict rests on, a place for each variant, the control first.
struct ExperimentCounts {
    /// Units exposed, those whose window is open included.
    var exposed: [Int]
    /// What became of those whose window is over.
    var outcomes: [Conversions]
    /// What became of the first units up to the horizon; nil until the last of their windows is over.
    var atHorizon: [Conversions]?
}
