/// That somebody was given a variant as a tester. A class: hardly any assignment has one.
public final class CampaignRehearsal: Hashable, Sendable {
    /// Who, and by which id.
    public let tester: CampaignTester
    /// Whether the audience's condition does not hold, so that the campaign would pass the tester over.
    public let isOutsideAudience: Bool

    init(_ tester: CampaignTester, isOutsideAudience: Bool) {
        self.tester = tester
        self.isOutsideAudience = isOutsideAudience
    }

    /// Equal when both values are.
    public static func == (left: CampaignRehearsal, right: CampaignRehearsal) -> Bool {
        left === right || left.tester == right.tester && left.isOutsideAudience == right.isOutsideAudience
    }

    /// Hashes both values.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(tester)
        hasher.combine(isOutsideAudience)
    }
}
