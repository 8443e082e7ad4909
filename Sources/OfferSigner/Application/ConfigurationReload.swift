import Logging
import OfferService
import OfferSigning
import OfferStore

/// Reads the configuration again, and applies what can change while the service runs: level and extent of the log.
/// A PIN that a token refused is tried once more.
struct ConfigurationReload: Sendable {
    let level: LogLevel
    let offers: OfferLines
    let logger: Logger
    let audit: AuditLog
    let hardware: HardwareKeys
    let load: @Sendable () throws -> ServiceConfiguration

    /// Reloads. An unusable configuration changes nothing.
    func run() {
        hardware.retryLogins()
        do {
            let configuration = try load()
            let before = (level: level.current.rawValue, offers: offers.extent.rawValue)
            let after = (level: configuration.logLevel.rawValue, offers: configuration.offerLines.rawValue)
            level.change(to: configuration.logLevel)
            offers.change(to: configuration.offerLines)
            record("logging.level", before.level, after.level)
            if before.offers != after.offers { record("logging.signatures", before.offers, after.offers) }
            logger.notice(
                "the configuration was read again",
                metadata: ["logging.level": "\(after.level)", "logging.signatures": "\(after.offers)"])
        } catch {
            logger.error("the configuration cannot be read again; nothing was changed", metadata: ["reason": "\(error)"])
        }
    }

    private func record(_ key: String, _ before: String, _ after: String) {
        Task {
            do {
                try await audit.record(
                    .reloadConfiguration, by: .service, object: AuditObject(key, before: before, after: after))
            } catch {
                logger.error(
                    "the audit log could not record that the configuration was read again", metadata: ["reason": "\(error)"])
            }
        }
    }
}
