import OfferHTTP
import OfferService
import OfferStore

extension ServiceApplication {
    /// What people with access keys administer.
    static func administration(
        _ store: SigningStore,
        _ apps: AppDirectory,
        _ ring: KeyRingHolder,
        _ folder: KeyFolder,
        system: SystemEnvironment
    ) -> Administration {
        let keys = KeyAdministration(
            desk: KeyDesk(store: store.keys, system: system), access: store.access, changes: store.changes, ring: ring,
            apps: apps,
            folder: folder)
        return Administration(
            keys: keys, access: AccessDesk(store: store.access, apps: apps, system: system), apps: apps, ring: ring)
    }
}
