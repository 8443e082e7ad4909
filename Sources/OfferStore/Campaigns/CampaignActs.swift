/// The creation and the last change of a campaign.
public struct CampaignActs: Equatable, Sendable {
    /// The creation.
    public var created: CampaignAct
    /// The step of the last change, which the store does not parse. A note is no change.
    public var step: String
    /// When the last change was made, and by which actor.
    public var changed: CampaignAct

    /// Takes the values as they are.
    public init(created: CampaignAct, step: String, changed: CampaignAct) {
        self.created = created
        self.step = step
        self.changed = changed
    }
}
