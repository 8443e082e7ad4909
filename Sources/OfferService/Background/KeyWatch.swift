package import Logging
import OfferSigning
import ServiceLifecycle

/// Reports once that a hardware module no longer signs with a key, and once that it signs again, without waiting for a request.
package struct KeyWatch: Service {
    private let keys: CurrentKeyRing
    private let interval: Duration
    private let system: SystemEnvironment
    private let logger: Logger

    /// - Parameter interval: the time between two looks.
    package init(
        keys: CurrentKeyRing,
        interval: Duration = .milliseconds(250),
        system: SystemEnvironment,
        logger: Logger
    ) {
        self.keys = keys
        self.interval = interval
        self.system = system
        self.logger = logger
    }

    /// Looks at the keys every interval until the service stops.
    package func run() async throws {
        await system.rounds([String: String]()) { reported in
            lookOnce(&reported)
            return interval
        }
    }

    /// The kind of an outage, which is reported once.
    ///
    /// Two codes count as one kind, because an unavailable module reports now one of them and now the other.
    private static func kind(of outage: SigningError) -> String {
        outage.code == .tokenMissing ? SigningError.Code.moduleUnavailable.rawValue : outage.code.rawValue
    }

    /// Logs each key whose hardware module has stopped signing, or signs again, since the last look.
    ///
    /// - Parameter reported: the kinds of the outages that were reported, by key id.
    func lookOnce(_ reported: inout [String: String]) {
        for key in keys.current.entries.map(\.key) where key.signsLater {
            let outage = key.outage
            let kind = outage.map(Self.kind)
            guard kind != reported[key.id] else { continue }
            reported[key.id] = kind
            if let outage {
                logger.error(
                    "the hardware module signs nothing with a key",
                    metadata: ["key": "\(key.id)", "code": "\(outage.code.rawValue)", "reason": "\(outage.detail)"])
            } else {
                logger.notice("the hardware module signs again", metadata: ["key": "\(key.id)"])
            }
        }
    }
}
