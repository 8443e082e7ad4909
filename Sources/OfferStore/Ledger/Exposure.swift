public import EligibilityRules
public import FoundationEssentials

/// A customer's exposure to a campaign, whatever they received. The results of campaigns count exposures.
public struct Exposure: Hashable, Sendable {
    /// The campaign and the variant. The revision is 0 where a draft decided.
    public let arm: ExposureArm
    /// The bucketed id; a random text after the customer's erasure.
    public let unit: String
    /// When the exposure took place.
    public let at: Instant
    /// The caller that asked, and what it said.
    public let source: ExposureSource
    /// Nonce of the signature that the campaign chose; nil if nothing was signed.
    public let nonce: UUID?
    /// Whether the customer is a tester. Such exposures are only counted.
    public let isRehearsal: Bool
    /// The hold on the unit; nil if the campaign is in no exclusion group.
    public let hold: ExposureHold?

    /// Takes the values as they are.
    public init(
        arm: ExposureArm,
        unit: String,
        at: Instant,
        source: ExposureSource,
        nonce: UUID? = nil,
        isRehearsal: Bool = false,
        hold: ExposureHold? = nil
    ) {
        self.arm = arm
        self.unit = unit
        self.at = at
        self.source = source
        self.nonce = nonce
        self.isRehearsal = isRehearsal
        self.hold = hold
    }
}
