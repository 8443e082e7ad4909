import Glibc
import NIOCore
import ServiceLifecycle

/// A server that names the configuration key to blame when it cannot listen.
struct ListeningService: Service {
    let server: any Service
    /// `http` or `metrics`.
    let section: String
    let address: ServiceConfiguration.Address

    func run() async throws {
        do {
            try await server.run()
        } catch let error as IOError {
            let reason = String(cString: strerror(error.errnoCode))
            let place = "\(address.host):\(address.port)"
            throw ConfigurationError("\(section).host, \(section).port: cannot listen on \(place): \(reason)")
        }
    }
}
