/// An action, by its name in the audit log. A name never changes its meaning; a release may add names.
package struct AuditAction: RawRepresentable, Hashable, Sendable {
    /// The thing and what was done to it, such as `key.activate`.
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    /// A signing key signs for an app from then on.
    package static let activateKey = AuditAction(rawValue: "key.activate")
    /// The previous signing key signs for an app again.
    package static let rollBackKey = AuditAction(rawValue: "key.rollback")
    /// A signing key no longer signs for an app.
    package static let revokeKey = AuditAction(rawValue: "key.revoke")
    /// A signing key was put into the key folder.
    package static let stageKey = AuditAction(rawValue: "key.stage")
    /// The fingerprint of a signing key was recorded, because the manifest of the key folder lets the key sign.
    package static let loadKey = AuditAction(rawValue: "key.load")
    /// A decision about a signing key waits for a second person.
    package static let proposeKey = AuditAction(rawValue: "key.propose")
    /// A second person agrees to a decision about a signing key.
    ///
    /// Recorded before the decision takes effect.
    package static let agreeKey = AuditAction(rawValue: "key.agree")
    /// A decision about a signing key was withdrawn while it waited for a second person.
    package static let withdrawKey = AuditAction(rawValue: "key.withdraw")
    /// An access key was made.
    package static let createAccess = AuditAction(rawValue: "access.create")
    /// An access key was revoked.
    package static let revokeAccess = AuditAction(rawValue: "access.revoke")
    /// An access key expires within a week.
    package static let expireAccess = AuditAction(rawValue: "access.expiring")
    /// A campaign was made. Later actions are named after their step, such as `campaign.publish`.
    package static let createCampaign = AuditAction(rawValue: "campaign.create")
    /// A segment was made or changed.
    package static let saveSegment = AuditAction(rawValue: "segment.save")
    /// A segment was removed.
    package static let removeSegment = AuditAction(rawValue: "segment.remove")
    /// A count found another verdict about a campaign than was recorded last.
    package static let campaignVerdict = AuditAction(rawValue: "campaign.verdict")
    /// A count found that customers are not divided among a campaign's variants as planned, or that they are again.
    package static let splitOff = AuditAction(rawValue: "campaign.split-off")
    /// A service started with a configuration.
    package static let loadConfiguration = AuditAction(rawValue: "configuration.load")
    /// A running service reloaded its configuration.
    package static let reloadConfiguration = AuditAction(rawValue: "configuration.reload")
    /// A subscription is to be bound to a customer. Recorded before the binding.
    package static let bindCustomer = AuditAction(rawValue: "customer.bind")
    /// A subscription is to be unbound from a customer. Recorded before the change, or after a transfer.
    package static let unbindCustomer = AuditAction(rawValue: "customer.unbind")
    /// A customer's name is to become an alias of another. Recorded before the change, for each of the two.
    package static let mergeCustomer = AuditAction(rawValue: "customer.merge")
    /// A customer's personal data was removed from the log. The event names no customer.
    package static let eraseCustomer = AuditAction(rawValue: "customer.erase")
    /// All data stored about a customer is exported. Recorded before the export.
    package static let exportCustomer = AuditAction(rawValue: "customer.export")
    /// A backend states whether a customer lets the App Store have consumption information.
    ///
    /// Recorded before it takes effect.
    package static let stateConsent = AuditAction(rawValue: "customer.consent")
    /// The App Store has accepted the answer to a refund request.
    package static let answerRefund = AuditAction(rawValue: "refund.answer")
    /// The answer to a refund request was made but not sent, because the app's refund mode is a dry run.
    package static let rehearseRefund = AuditAction(rawValue: "refund.dry-run")
    /// A refund request stays without an answer.
    package static let leaveRefund = AuditAction(rawValue: "refund.leave")
    /// Purchases were imported from a file.
    package static let importHistory = AuditAction(rawValue: "customer.import")
    /// An operator accepted the machine's time.
    package static let acceptClock = AuditAction(rawValue: "clock.accept")
    /// An operator declared that the times of earlier signatures no longer count.
    package static let repairClock = AuditAction(rawValue: "clock.repair")
    /// A backup replaced the store.
    package static let restoreStore = AuditAction(rawValue: "store.restore")
    /// The store was copied from SQLite files to this PostgreSQL database.
    package static let copyStore = AuditAction(rawValue: "store.copy")
    /// A verification found that the log was changed. Recorded once by each process that finds it.
    package static let failVerification = AuditAction(rawValue: "audit.not-verified")
    /// Another audit key may seal from then on.
    package static let rotateAuditKey = AuditAction(rawValue: "audit.rotate-key")
    /// An audit key seals in place of a lost one.
    package static let replaceAuditKey = AuditAction(rawValue: "audit.replace-lost-key")
    /// A person signed in to the console.
    package static let signIn = AuditAction(rawValue: "console.sign-in")
    /// Events are to be sent again. Recorded before they are.
    package static let replayEvent = AuditAction(rawValue: "event.replay")
    /// A test is to be sent to an endpoint. Recorded before it is.
    package static let testEvents = AuditAction(rawValue: "event.test")
    /// An endpoint receives events again.
    package static let enableEvents = AuditAction(rawValue: "event.enable")
    /// An endpoint has answered that it wants no more events, and receives none.
    package static let disableEvents = AuditAction(rawValue: "event.disable")
}
