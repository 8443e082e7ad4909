/// The proxies whose word counts for where a request comes from.
package struct TrustedProxies: Sendable {
    private let ranges: [AddressRange]

    /// Trusts these; none: nobody.
    package init(_ ranges: [AddressRange] = []) { self.ranges = ranges }

    /// The client's address: the last that a trusted proxy has added and that is no trusted proxy's own.
    ///
    /// What a client has put into `X-Forwarded-For` itself stands before that, and is not looked at.
    ///
    /// - Parameters:
    ///   - peer: who has connected.
    ///   - forwardedFor: the values of `X-Forwarded-For`, in the order of the lines.
    func client(peer: String, forwardedFor: @autoclosure () -> [String]) -> String {
        guard !ranges.isEmpty else { return peer }
        var client = peer
        for hop in forwardedFor().joined(separator: ",").split(separator: ",", omittingEmptySubsequences: false).reversed() {
            guard ranges.contains(where: { $0.contains(client) }) else { break }
            let address = String(hop.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
            // Whoever writes something else there is not understood: then the proxy is all that is known.
            guard AddressRange.isAddress(address) else { break }
            client = address
        }
        return client
    }
}
