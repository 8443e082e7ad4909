import EligibilityRules
import FoundationEssentials
import GRDB
import OfferStore

/// Writes the reservations of signatures, on the writer's connection. Created for each transaction, after `Reservations`.
struct ReservationWriter {
    private let index: LimitIndex
    private let insertion: PreparedStatement
    /// The row in preparation.
    private let row: ReservationRow
    /// The nonce of the row's first signature.
    private var nonce = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

    /// - Parameter index: records what is written.
    init(_ database: Database, _ index: LimitIndex) throws {
        self.index = index
        row = index.row
        insertion = try PreparedStatement(database, "INSERT INTO reservation (id, until, nonce, signatures) VALUES (?, ?, ?, ?)")
    }

    /// Writes the reservations of an entry.
    ///
    /// - Parameters:
    ///   - names: the names of the reservations, in order.
    ///   - places: says which of them hold places in totals.
    ///   - request: the number of the entry's row.
    mutating func insert(
        _ reservations: [Reservation],
        _ names: ArraySlice<LedgerKeys.Name>,
        _ places: PlaceChanges,
        for entry: LedgerEntry,
        request: Int64
    ) throws {
        var (start, first) = (0, names.startIndex)
        while start < reservations.count {
            let nonce = reservations[start].nonce
            let end = reservations[start...].firstIndex { $0.nonce != nonce } ?? reservations.count
            guard let position = entry.signatures.firstIndex(where: { $0.nonce == nonce }) else {
                preconditionFailure("what is reserved is reserved for a signature of the entry")
            }
            let last = reservations[start..<end].reduce(first) { $0 + $1.names.count }
            try insert(
                reservations[start..<end], names[first..<last], places,
                ReservationNumber.number(request: request, position: position))
            (start, first) = (end, last)
        }
    }

    /// Writes the reservations of one signature.
    private mutating func insert(
        _ reservations: ArraySlice<Reservation>,
        _ names: ArraySlice<LedgerKeys.Name>,
        _ places: PlaceChanges,
        _ number: Int64
    ) throws {
        let first = reservations.first!
        // The maximum length, with a mark among the names and another among the totals.
        let length = ReservationEntry.headLength + 16 + 8 * names.count
        if row.isFull(for: length, until: first.expiresAt) { try finish() }
        row.begin(number, until: first.expiresAt, length: length)
        if row.id == number { nonce = first.nonce }
        let hasStaying = reservations.contains { $0.staysWithRedemption }
        forEachEntered(reservations, names, ofTotals: false, staying: false) { enter($0, number) }
        if hasStaying {
            row.append(name: LimitNames.mark)
            forEachEntered(reservations, names, ofTotals: false, staying: true) { enter($0, number) }
        }
        let enterTotal = { (total: LimitKey) in self.enter(total: total, isHeld: places.isHeld(total, by: first.nonce)) }
        forEachEntered(reservations, names, ofTotals: true, staying: false, enterTotal)
        if hasStaying {
            row.append(total: LimitNames.mark, isHeld: false)
            forEachEntered(reservations, names, ofTotals: true, staying: true, enterTotal)
        }
        row.end()
    }

    private func forEachEntered(
        _ reservations: ArraySlice<Reservation>,
        _ names: ArraySlice<LedgerKeys.Name>,
        ofTotals: Bool,
        staying: Bool,
        _ body: (LimitKey) -> Void
    ) {
        var first = names.startIndex
        for index in reservations.indices {
            let isTotal = if case .total = reservations[index].rule { true } else { false }
            if isTotal == ofTotals, reservations[index].staysWithRedemption == staying {
                for position in reservations[index].names.indices where reservations[index].names[position].isEntered {
                    body(names[first + position].key)
                }
            }
            first += reservations[index].names.count
        }
    }

    private func enter(_ name: LimitKey, _ number: Int64) {
        row.append(name: name)
        index.reservations.insert(number, under: name)
    }

    private func enter(total: LimitKey, isHeld: Bool) {
        row.append(total: total, isHeld: isHeld)
        if isHeld { index.reservations.insert(row: row.id, of: total) }
    }

    /// Writes the row in preparation. Also called at the end of the transaction.
    mutating func finish() throws {
        guard !row.isEmpty else { return }
        insertion.bind(row.id, at: 1)
        insertion.bind(row.until.milliseconds, at: 2)
        withUnsafeBytes(of: nonce.uuid) { insertion.bind($0, at: 3) }
        try row.withBytes { bytes in
            insertion.bind(inPlace: bytes, at: 4)
            try insertion.run()
        }
        index.didWrite(row.id, nonce: nonce)
        row.removeAll()
    }
}
