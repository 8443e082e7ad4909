/// What the counts say, before it is put into words.
enum Decision: Equatable {
    /// This variant reached the goal more often than the control; of several, the one with the highest share. The control itself
    /// wins if each of the others reached it less often.
    case winner(variant: Int)
    /// Every difference is smaller than the one worth knowing.
    case noDifference
    /// It may still be either.
    case undecided
    /// The look has not come.
    case beforeHorizon
    /// There is one variant only.
    case nothingToCompare
    /// This variant has too few units or conversions.
    case tooLittleData(variant: Int)
    /// The units are not split as planned: no comparison can be trusted.
    case sampleRatioMismatch
}
