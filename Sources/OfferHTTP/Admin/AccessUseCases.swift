package import OfferService

/// The use cases about access keys and the audit log.
package struct AccessUseCases: Sendable {
    let apps: AppDirectory
    let directory: AccessDirectory
    let desk: AccessDesk
    let audit: AuditLog
    let browser: AuditBrowser

    package init(apps: AppDirectory, directory: AccessDirectory, desk: AccessDesk, audit: AuditLog) {
        self.apps = apps
        self.directory = directory
        self.desk = desk
        self.audit = audit
        browser = AuditBrowser(log: audit)
    }
}
