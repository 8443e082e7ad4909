import Glibc
import OfferService
import OfferStore

extension Replica {
    /// The settings in which replicas may differ: where a replica listens and finds its keys. The keys themselves are compared.
    static let own = [
        "http.host:", "http.port:", "metrics.host:", "metrics.port:", "keys.directory:", "store.positionFile:",
    ]

    /// Makes the description of this process that the other replicas see.
    init(_ environment: ServiceEnvironment) {
        let configuration = environment.configuration
        self.init(
            id: environment.replicaID, address: "\(Replica.hostName):\(configuration.http.port)",
            version: ProgramVersion.current, startedAt: environment.system.now(),
            configurationDigest: Replica.digest(of: configuration.settings), keys: [], clockOffset: nil)
    }

    /// Returns a digest of the settings that all replicas must have in common.
    static func digest(of settings: ConfigurationSettings) -> String {
        ConfigurationRecord.digest(of: settings.facts.filter { fact in !own.contains { fact.hasPrefix($0) } })
    }

    private static var hostName: String {
        var name = [UInt8](repeating: 0, count: 256)
        let isNamed = name.withUnsafeMutableBytes { gethostname($0.baseAddress!, $0.count - 1) == 0 }
        return isNamed ? String(decoding: name.prefix { $0 != 0 }, as: UTF8.self) : "localhost"
    }
}
