import EligibilityRules
import OfferHTTP
import OfferService
import OfferStore

/// The use cases that requests of clients and of the App Store call, and those that show marketing how campaigns do.
struct UseCases {
    let campaigns: LiveCampaigns
    let api: API
    let examination: SignatureExamination
    let endUsers: EndUserAccess
    let reach: CampaignReach
    let results: CampaignResultsDesk

    init(_ environment: ServiceEnvironment, _ stores: StoreParts, _ keys: KeyParts, _ histories: HistoryParts) async throws {
        let (system, failures, store) = (environment.system, environment.failures, stores.store)
        campaigns = LiveCampaigns(store: store.signing.marketing.campaigns, apps: keys.apps, failures: failures)
        try await campaigns.follow(store.signing.processes.changes.revisions()[.campaigns] ?? 0)
        let rules = OfferRules(campaigns: campaigns, limits: CatalogueLimits())
        let issuer = OfferIssuer(
            keys: keys.ring, nonces: keys.nonces, clock: keys.clock, ledger: store.signing.ledger,
            histories: histories.lookup, observer: environment.observer, rules: rules)
        examination = SignatureExamination(
            apps: keys.apps, keys: keys.ring, ledger: store.signing.ledger, system: system)
        api = API(
            nonces: keys.nonces, clock: keys.clock, issuer: issuer,
            examination: examination,
            inquiry: EligibilityInquiry(histories: histories.lookup, system: system),
            offers: OfferInquiry(
                histories: histories.lookup, rules: rules, clock: keys.clock, observer: environment.observer),
            histories: histories.useCases,
            retention: RetentionDesk(
                issuer: issuer, reader: histories.reader, system: system,
                observer: RetentionMonitor(metrics: environment.metrics), failures: failures))
        endUsers = try await EndUserAccess(environment, secrets: store.signing.credentials.secrets)
        // One processor is left free. A signature would have to wait for a busy thread, even for one of low priority.
        reach = CampaignReach(
            scan: store.purchases.customers,
            asking: AskingLook(exposures: store.signing.marketing.exposures, audit: store.signing.audit),
            threads: max(1, ProcessorCount.usable - 1), system: system)
        results = CampaignResultsDesk(
            campaigns: store.signing.marketing.campaigns, exposures: store.signing.marketing.exposures,
            histories: store.purchases.histories,
            system: system, currencies: environment.configuration.currencies)
    }
}
