import OfferService
import OfferStore

// The use cases of administration on a store. Both the service and the commands get them here, so that API, console and command
// line have the same rules.
extension SigningStore {
    /// The use cases of signing keys.
    func keyAdministration(
        _ ring: CurrentKeyRing,
        _ folder: any KeyStaging,
        _ apps: AppDirectory,
        system: SystemEnvironment
    ) -> KeyAdministration {
        KeyAdministration(
            desk: KeyDesk(store: credentials.keys, replicas: processes.replicas, system: system), access: credentials.access,
            ring: ring, apps: apps, folder: folder)
    }

    /// The use cases of access keys.
    ///
    /// - Parameter directory: the access keys in memory, with their last uses in this process; nil if it serves no requests.
    func accessDesk(_ apps: AppDirectory, _ directory: AccessDirectory? = nil, system: SystemEnvironment) -> AccessDesk {
        AccessDesk(store: credentials.access, directory: directory, apps: apps, system: system)
    }

    /// The use cases of campaigns and segments.
    func campaignAdministration(_ apps: AppDirectory, system: SystemEnvironment) -> CampaignAdministration {
        CampaignAdministration(
            store: marketing.campaigns, segments: marketing.segments, exposures: marketing.exposures,
            access: credentials.access, apps: apps, system: system)
    }

    /// The use cases of events for the company's own systems.
    func eventDesk(_ configuration: ServiceConfiguration, _ audit: AuditLog, system: SystemEnvironment) -> EventDesk {
        EventDesk(store: events, endpoints: configuration.events.endpoints, audit: audit, system: system)
    }
}

extension Store {
    /// The use cases about one customer.
    func customerDesk(_ configuration: ServiceConfiguration, _ audit: AuditLog, system: SystemEnvironment) -> CustomerDesk {
        CustomerDesk(store: self, audit: audit, retentionHours: configuration.retentionHours, system: system)
    }
}
