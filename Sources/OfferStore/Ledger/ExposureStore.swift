public import EligibilityRules

/// Recorded exposures, for the results of campaigns. The store keeps them for good, as no other system counts them.
public protocol ExposureStore: Sendable {
    /// An exposure with its number. Reading continues after a number.
    typealias Numbered = (id: Int64, exposure: Exposure)

    /// The exposures of a campaign, in the order of numbers. A unit may appear more than once: its earliest exposure counts.
    ///
    /// - Parameters:
    ///   - id: returns only exposures after this number; 0 begins with the first.
    ///   - limit: how many at most.
    func exposures(
        of campaign: String,
        partition: AppPartition,
        after id: Int64,
        limit: Int
    ) async throws(StoreError) -> [Numbered]

    /// The exposures of an app in all campaigns, the latest number first, which is nearly the order of time.
    ///
    /// - Parameters:
    ///   - id: returns only exposures before this number; nil begins with the latest.
    ///   - limit: how many at most.
    func latestExposures(partition: AppPartition, before id: Int64?, limit: Int) async throws(StoreError) -> [Numbered]

    /// The exposures of some units in all campaigns, in the order of numbers.
    ///
    /// No index finds them, so the store scans all rows after `id`.
    func exposures(
        ofUnits units: Set<String>,
        partition: AppPartition,
        after id: Int64,
        limit: Int
    ) async throws(StoreError) -> [Numbered]

    /// The numbers of testers' exposures to a campaign, by variant id, in all environments of the app.
    func rehearsals(of campaign: String, bundleID: String) async throws(StoreError) -> [RehearsalCount]

    /// The exposures of some units as testers, the oldest first.
    func rehearsals(ofUnits units: Set<String>, partition: AppPartition) async throws(StoreError) -> [Exposure]

    /// The holds on some units, including those of ended campaigns, in the order of groups.
    func holds(onUnits units: Set<String>, partition: AppPartition) async throws(StoreError) -> [ExclusionHold]
}
