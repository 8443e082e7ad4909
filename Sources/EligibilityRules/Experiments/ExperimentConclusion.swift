/// What the counts show, before it is put into words.
enum ExperimentConclusion: Equatable {
    /// This variant reached the goal more often than the control. Of several, it is the one with the highest rate.
    /// The control wins if each of the others reached the goal less often.
    case winner(variant: Int)
    /// Every difference is smaller than the one to detect.
    case noDifference
    /// The counts show neither so far.
    case undecided
    /// The planned look is still to come.
    case beforeHorizon
    /// There is only one variant.
    case nothingToCompare
    /// This variant has too few units or conversions.
    case tooLittleData(variant: Int)
    /// A sample ratio mismatch, so that no comparison is valid.
    case sampleRatioMismatch
}
