/// That a customer was shown a variant of a campaign. There are none before there are campaigns.
public enum Exposure: Sendable {}
