public import EligibilityRules

/// Exposures as they were recorded, for the results of campaigns. They stay as long as the store does: nobody else counts them.
public protocol ExposureStore: Sendable {
    /// An exposure with the number by which a reading goes on behind it.
    typealias Numbered = (id: Int64, exposure: Exposure)

    /// Those of a campaign, each once, by their numbers. The same unit may come more than once: the earliest one counts.
    ///
    /// - Parameters:
    ///   - id: behind this one only; 0 from the first.
    ///   - limit: how many at most.
    func exposures(
        of campaign: String,
        partition: AppPartition,
        after id: Int64,
        limit: Int
    ) async throws(StoreError) -> [Numbered]

    /// Those of some units, in every campaign, by their numbers. There is no index: all rows behind `id` are looked at.
    func exposures(
        ofUnits units: Set<String>,
        partition: AppPartition,
        after id: Int64,
        limit: Int
    ) async throws(StoreError) -> [Numbered]

    /// What testers of a campaign have met, in the order of the variants' ids; in every environment of the app.
    func rehearsals(of campaign: String, bundleID: String) async throws(StoreError) -> [RehearsalCount]

    /// What some units have met as testers, the oldest first.
    func rehearsals(ofUnits units: Set<String>, partition: AppPartition) async throws(StoreError) -> [Exposure]

    /// By which campaigns of exclusion groups one of some units is held, in the order of the groups; also by those that are over.
    func holds(onUnits units: Set<String>, partition: AppPartition) async throws(StoreError) -> [ExclusionHold]
}
