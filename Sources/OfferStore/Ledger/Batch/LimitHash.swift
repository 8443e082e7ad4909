/// Hashes the names of limits into keys.
package final class LimitHash {
    private let hash: SipHash
    // Successive names mostly share a scope. So the hash of the scope's text is kept, continued for each kind of name.
    private var scope: LimitScope?
    private var streams: [SipHash.Stream] = []

    /// - Parameter hash: has the store's key.
    package init(_ hash: SipHash) { self.hash = hash }

    /// Calls `body` with the key of each name of a reservation, in order.
    func forEach(of reservation: Reservation, _ body: (LimitKey) -> Void) {
        begin(with: reservation.scope)
        reservation.names.withUnsafeBufferPointer { names in
            for position in names.indices {
                var stream = streams[Int(names[position].kind.rawValue)]
                stream.append(names[position].id)
                body(LimitKey(Int64(bitPattern: stream.hash)))
            }
        }
    }

    private func begin(with scope: LimitScope) {
        if scope === self.scope { return }
        self.scope = scope
        var stream = SipHash.Stream(hash)
        stream.append(scope.text)
        streams.removeAll(keepingCapacity: true)
        for kind in LimitName.Kind.allCases {
            var stream = stream
            kind.word.withUTF8Buffer { stream.append(UnsafeRawBufferPointer($0)) }
            streams.append(stream)
        }
    }

    /// The key of a name given as one text.
    package func callAsFunction(_ name: String) -> LimitKey {
        var stream = SipHash.Stream(hash)
        stream.append(name)
        return LimitKey(Int64(bitPattern: stream.hash))
    }
}

extension SipHash.Stream {
    fileprivate mutating func append(_ text: String) {
        if text.utf8.withContiguousStorageIfAvailable({ append(UnsafeRawBufferPointer($0)) }) == nil {
            // The text is not a native Swift string.
            Array(text.utf8).withUnsafeBytes { append($0) }
        }
    }
}
