/// The number of signed or refused offers, by minute.
public struct AuditTally: Equatable, Sendable {
    /// Offers of one app with the same outcome in one minute.
    public struct Part: Equatable, Sendable {
        /// The minute, counted since 1970.
        public let minute: Int64
        /// The app in an environment.
        public let partition: AppPartition
        /// Id of the key that signed, or the code of the reason of a refusal.
        public let outcome: String
        /// Number of offers.
        public let offers: Int

        /// Stores the given values without checking them.
        public init(minute: Int64, partition: AppPartition, outcome: String, offers: Int) {
            self.minute = minute
            self.partition = partition
            self.outcome = outcome
            self.offers = offers
        }
    }

    /// The parts, unordered.
    public let parts: [Part]
    /// The first minute that is counted completely, in minutes since 1970.
    public let since: Int64

    /// Stores the given values without checking them.
    public init(_ parts: [Part], since: Int64) {
        self.parts = parts
        self.since = since
    }
}
