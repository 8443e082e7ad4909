import NIOCore
import NIOPosix

/// Why there is no response.
package struct HTTPClientError: Error {
    package enum Code: Sendable { case unreachable, timedOut, tooLong, cancelled, addressRefused }

    package let code: Code
    /// What happened, without addresses and without sent content.
    package let detail: String

    init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    /// Takes any error of an exchange.
    ///
    /// The detail states only the type of an error that is not known here, because its message could contain an address.
    init(_ error: any Error) {
        switch error {
        case let error as HTTPClientError: self = error
        case ChannelError.connectTimeout: self.init(.timedOut, "no connection in time")
        case let error as NIOConnectionError:
            if let refusal = error.connectionErrors.lazy.compactMap({ $0.error as? HTTPClientError }).first {
                self = refusal
                return
            }
            let reason = (error.connectionErrors.last?.error as? IOError).map { String(cString: strerror($0.errnoCode)) }
            self.init(.unreachable, "no connection (\(reason ?? "the host's name is not known"))")
        default: self.init(.unreachable, "the connection failed (\(type(of: error)))")
        }
    }
}
