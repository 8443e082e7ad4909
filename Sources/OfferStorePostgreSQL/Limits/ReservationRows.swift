import EligibilityRules
import FoundationEssentials
import OfferStore
import OfferStoreSQL

/// The rows that a batch adds to `reservation` and `reservation_name`.
struct ReservationRows {
    private var nonces: [[UInt8]?] = []
    private var requests: [Int64?] = []
    private var ends: [Int64?] = []
    private var names: [LimitNames] = []
    private var totals: [LimitNames] = []
    private var held: [[LimitKey]] = []

    /// Adds the reservations of an entry, by signature.
    ///
    /// - Parameters:
    ///   - names: the names of the reservations, in order.
    ///   - places: says which of them hold places in totals.
    ///   - request: the number of the entry's row.
    mutating func append(
        _ reservations: [Reservation],
        _ names: ArraySlice<LedgerKeys.Name>,
        _ places: PlaceChanges,
        request: Int64
    ) {
        var first = names.startIndex
        for reservation in reservations {
            let range = first..<first + reservation.names.count
            first = range.upperBound
            let nonce = reservation.nonce.bytes
            if nonces.last != nonce {
                nonces.append(nonce)
                requests.append(request)
                ends.append(reservation.expiresAt.milliseconds)
                self.names.append(LimitNames())
                totals.append(LimitNames())
                held.append([])
            }
            let last = nonces.count - 1
            let entered = zip(reservation.names, names[range]).filter { $0.0.isEntered }.map(\.1.key)
            let isTotal = if case .total = reservation.rule { true } else { false }
            switch (isTotal, reservation.staysWithRedemption) {
            case (false, false): self.names[last].own += entered
            case (false, true): self.names[last].staying += entered
            case (true, false): totals[last].own += entered
            case (true, true): totals[last].staying += entered
            }
            if isTotal { held[last] += entered.filter { places.isHeld($0, by: reservation.nonce) } }
        }
    }

    func enqueue(_ transaction: Transaction) throws {
        guard !nonces.isEmpty else { return }
        try transaction.enqueue(
            """
            INSERT INTO reservation (nonce, signed_request, until, names, staying_names, totals, staying_totals, held)
            SELECT nonce, request, until, names::int8[], staying_names::int8[], totals::int8[], staying_totals::int8[], held::int8[]
            FROM unnest($1, $2, $3, $4, $5, $6, $7, $8)
                AS new (nonce, request, until, names, staying_names, totals, staying_totals, held)
            """, .blobs(nonces), .numbers(requests), .numbers(ends), .texts(names.map(\.own.list)),
            .texts(names.map(\.staying.list)), .texts(totals.map(\.own.list)), .texts(totals.map(\.staying.list)),
            .texts(held.map(\.list)))
        let rows = nonces.indices.flatMap { index in
            Set(names[index].keys + held[index]).map { (key: $0.hash, index: index) }
        }
        try transaction.enqueue(
            "INSERT INTO reservation_name (limit_key, until, nonce) SELECT * FROM unnest($1, $2, $3)", .numbers(rows.map(\.key)),
            .numbers(rows.map { ends[$0.index] }), .blobs(rows.map { nonces[$0.index] }))
    }

    /// Takes places from signatures that hold them.
    static func release(_ places: [(nonce: UUID, until: Instant, total: LimitKey)], _ transaction: Transaction) throws {
        for place in places {
            try transaction.enqueue(
                "UPDATE reservation SET held = array_remove(held, $2) WHERE nonce = $1", .bytes(place.nonce.bytes),
                .number(place.total.hash))
        }
        try ReservationNames.delete(places.map { ($0.total.hash, $0.until.milliseconds, $0.nonce.bytes) }, transaction)
    }
}

extension [LimitKey] {
    /// The keys as a PostgreSQL array literal.
    var list: String { "{\(map { String($0.hash) }.joined(separator: ","))}" }
}
