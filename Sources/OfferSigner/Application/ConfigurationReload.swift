import Logging
import OfferService
import OfferSigning

/// Reads the configuration again, and applies what can change while the service runs: the level of the log.
/// A PIN that a token refused is tried once more.
struct ConfigurationReload: Sendable {
    let level: LogLevel
    let logger: Logger
    let audit: AuditLog
    let hardware: HardwareKeys
    let load: @Sendable () throws -> ServiceConfiguration

    /// Reloads. An unusable configuration changes nothing.
    func run() {
        hardware.retryLogins()
        do {
            let configuration = try load()
            let before = level.current
            level.change(to: configuration.logLevel)
            record(before.rawValue, configuration.logLevel.rawValue)
            logger.notice("the configuration was read again", metadata: ["logging.level": "\(configuration.logLevel.rawValue)"])
        } catch {
            logger.error("the configuration cannot be read again; nothing was changed", metadata: ["reason": "\(error)"])
        }
    }

    private func record(_ before: String, _ after: String) {
        Task {
            do {
                try await audit.record(
                    .reloadConfiguration, by: .service, subject: "logging.level", before: before, after: after)
            } catch {
                logger.error(
                    "the audit log could not record that the configuration was read again", metadata: ["reason": "\(error)"])
            }
        }
    }
}
