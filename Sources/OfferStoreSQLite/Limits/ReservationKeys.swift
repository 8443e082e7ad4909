import OfferStore

/// Makes the names of limits the numbers that they go by in the store: hashes whose key is the store's, so that its tables name nobody.
final class ReservationKeys {
    private let hash: SipHash
    // Most names in turn begin with the same text: what comes after it goes on from here, by the kind of name.
    private var scope: LimitScope?
    private var streams: [SipHash.Stream] = []
    /// Of all names since `removeAll`, in order.
    private(set) var keys: [Int64] = []

    init(_ hash: SipHash) { self.hash = hash }

    /// Forgets the names.
    func removeAll() { keys.removeAll(keepingCapacity: true) }

    /// Hashes the names of some reservations, those of the first first.
    func hash(_ reservations: [Reservation]) {
        for index in reservations.indices {
            begin(with: reservations[index].scope)
            reservations[index].names.withUnsafeBufferPointer { names in
                for position in names.indices {
                    var stream = streams[Int(names[position].kind.rawValue)]
                    stream.append(names[position].id)
                    keys.append(Int64(bitPattern: stream.hash))
                }
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

    /// The number of a name that is one text.
    static func key(_ name: String, _ hash: SipHash) -> Int64 {
        var stream = SipHash.Stream(hash)
        stream.append(name)
        return Int64(bitPattern: stream.hash)
    }
}

extension SipHash.Stream {
    fileprivate mutating func append(_ text: String) {
        if text.utf8.withContiguousStorageIfAvailable({ append(UnsafeRawBufferPointer($0)) }) == nil {
            // A text that came from elsewhere than Swift.
            Array(text.utf8).withUnsafeBytes { append($0) }
        }
    }
}
