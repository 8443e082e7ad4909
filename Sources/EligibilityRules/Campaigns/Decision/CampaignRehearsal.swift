/// Marks an assignment to a tester. A class, because hardly any assignment has one.
public final class CampaignRehearsal: Hashable, Sendable {
    /// The tester, with the id that matched.
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
