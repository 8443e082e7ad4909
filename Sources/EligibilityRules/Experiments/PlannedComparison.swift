/// The comparison of one variant with the control, as settled before the first unit.
struct PlannedComparison: Sendable {
    /// The index of the variant.
    let variant: Int
    /// The probability that the comparison finds a difference where there is none.
    let alpha: Double
    /// The intervals, which may be inspected at any time.
    let sequence: ConfidenceSequence
    /// The units of all variants for one look; nil where no effect or no rate is given.
    let unitsForOneLook: Double?
    /// The units of all variants after which a sequence has probably decided.
    let unitsForSequence: Double?

    /// - Parameter weights: the weights of the control, of the variant, and of all variants together.
    init(variant: Int, alpha: Double, weights: (control: Int, treatment: Int, all: Int), effect: ChosenEffect?) {
        self.variant = variant
        self.alpha = alpha
        let ratio = Double(weights.treatment) / Double(weights.control)
        guard let effect, let expected = effect.expected else {
            sequence = ConfidenceSequence(alpha: alpha, tightestAt: ExperimentPlan.unitsWithoutEffect)
            (unitsForOneLook, unitsForSequence) = (nil, nil)
            return
        }
        let size = SampleSize(expected: expected, detect: effect.detect, ratio: ratio, alpha: alpha)
        sequence = ConfidenceSequence(alpha: alpha, tightestAt: size.units)
        let others = Double(weights.all) / (Double(weights.control) + Double(weights.treatment))
        unitsForOneLook = size.units * others
        unitsForSequence = size.units(of: sequence) * others
    }
}
