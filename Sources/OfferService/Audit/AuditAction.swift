/// What can be done, by its name in the audit log. A name never gets another meaning; a release may add some.
package struct AuditAction: RawRepresentable, Hashable, Sendable {
    /// `thing.deed`.
    package let rawValue: String

    /// - Parameter rawValue: `thing.deed`.
    package init(rawValue: String) { self.rawValue = rawValue }

    /// A signing key signs for an app from then on.
    package static let activateKey = AuditAction(rawValue: "key.activate")
    /// The signing key before it signs for an app again.
    package static let rollBackKey = AuditAction(rawValue: "key.rollback")
    /// A signing key signs nothing more for an app.
    package static let revokeKey = AuditAction(rawValue: "key.revoke")
    /// A signing key was put into the key folder.
    package static let stageKey = AuditAction(rawValue: "key.stage")
    /// A decision about a signing key waits for a second person.
    package static let proposeKey = AuditAction(rawValue: "key.propose")
    /// It waits no more: somebody took it back.
    package static let withdrawKey = AuditAction(rawValue: "key.withdraw")
    /// An access key was made.
    package static let createAccess = AuditAction(rawValue: "access.create")
    /// An access key was ended.
    package static let revokeAccess = AuditAction(rawValue: "access.revoke")
    /// A campaign was made; what follows in its life is called by its step, such as `campaign.publish`.
    package static let createCampaign = AuditAction(rawValue: "campaign.create")
    /// A service began with a configuration.
    package static let loadConfiguration = AuditAction(rawValue: "configuration.load")
    /// A running service read its configuration again.
    package static let reloadConfiguration = AuditAction(rawValue: "configuration.reload")
    /// A subscription is to belong to a customer: written before that is carried out.
    package static let bindCustomer = AuditAction(rawValue: "customer.bind")
    /// A subscription is to belong to a customer no more: written before that is carried out, or after a transfer.
    package static let unbindCustomer = AuditAction(rawValue: "customer.unbind")
    /// A customer's name is to become an alias of another one: written before that is carried out, for each of the two.
    package static let mergeCustomer = AuditAction(rawValue: "customer.merge")
    /// What is personal of a customer was taken out of the log. It names nobody.
    package static let eraseCustomer = AuditAction(rawValue: "customer.erase")
    /// All that is stored of a customer was handed out.
    package static let exportCustomer = AuditAction(rawValue: "customer.export")
    /// Purchases were imported from a file.
    package static let importHistory = AuditAction(rawValue: "customer.import")
    /// An operator accepted the machine's time.
    package static let acceptClock = AuditAction(rawValue: "clock.accept")
    /// An operator let the times of earlier signatures count no more.
    package static let repairClock = AuditAction(rawValue: "clock.repair")
    /// A backup took the place of the store.
    package static let restoreStore = AuditAction(rawValue: "store.restore")
    /// The store was copied from files to this database.
    package static let copyStore = AuditAction(rawValue: "store.copy")
    /// Another audit key may seal from then on.
    package static let rotateAuditKey = AuditAction(rawValue: "audit.rotate-key")
    /// An audit key seals in the place of one that was lost.
    package static let replaceAuditKey = AuditAction(rawValue: "audit.replace-lost-key")
    /// Somebody came in at the console.
    package static let signIn = AuditAction(rawValue: "console.sign-in")
}
