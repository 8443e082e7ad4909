import NIOCore
import NIOPosix

/// Why a request got no response.
package struct HTTPClientError: Error {
    package enum Code: Sendable { case unreachable, timedOut, tooLong, cancelled, addressRefused }

    package let code: Code
    /// What happened, as a text for logs. It contains no addresses and nothing of what was sent.
    package let detail: String

    init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    /// Converts any error that an exchange can end with.
    ///
    /// For an error that is not known here the detail states only the type, because the error's message could contain an address.
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
