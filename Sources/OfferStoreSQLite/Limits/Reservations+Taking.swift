import EligibilityRules
import FoundationEssentials
import OfferStore

extension Reservations {
    /// Takes those that were just looked at.
    ///
    /// - Parameters:
    ///   - number: of the submission in its batch.
    ///   - entry: tells of the signatures.
    ///   - request: the number of its row.
    mutating func insert(_ reservations: [Reservation], of number: Int, for entry: LedgerEntry, request: Int64) throws {
        var (start, first) = (0, starts[number])
        while start < reservations.count {
            let nonce = reservations[start].nonce
            var end = start + 1
            while end < reservations.count, reservations[end].nonce == nonce { end += 1 }
            guard let position = entry.signatures.firstIndex(where: { $0.nonce == nonce }) else {
                preconditionFailure("what is reserved is reserved for a signature of the entry")
            }
            try insert(
                reservations[start..<end], ReservationNumber.number(request: request, position: position), first: &first)
            start = end
        }
    }

    /// Takes those of one signature.
    ///
    /// - Parameter first: where the keys of their names begin; is moved to where they end.
    private mutating func insert(_ reservations: ArraySlice<Reservation>, _ number: Int64, first: inout Int) throws {
        let start = reservations.startIndex
        var (nameCount, kept, hasStaying, hasTotals) = (0, nil as Int?, false, false)
        for index in reservations.indices {
            nameCount += reservations[index].names.count
            if kept == nil, !reservations[index].token.isEmpty { kept = index }
            if reservations[index].staysWithRedemption { hasStaying = true }
            if case .total = reservations[index].rule { hasTotals = true }
        }
        // As many as there may be at most, with a mark among the names and one among the totals.
        let length = ReservationEntry.headLength + 16 + 8 * nameCount + (kept.map { reservations[$0].token.count } ?? 0)
        if row.isFull(for: length, until: reservations[start].expiresAt) { try flush() }
        row.begin(number, until: reservations[start].expiresAt, length: length)
        if row.id == number { nonce = reservations[start].nonce }
        enterNames(of: reservations, staying: false, first: first, number)
        if hasStaying {
            row.append(name: ReservationNames.mark)
            enterNames(of: reservations, staying: true, first: first, number)
        }
        if hasTotals { try enterTotals(of: reservations, staying: false, first: first) }
        if hasTotals, hasStaying {
            row.append(total: ReservationNames.mark)
            try enterTotals(of: reservations, staying: true, first: first)
        }
        first += nameCount
        if let kept { row.append(token: reservations[kept].token) }
        row.end()
    }

    private mutating func enterNames(
        of reservations: ArraySlice<Reservation>,
        staying: Bool,
        first: Int,
        _ number: Int64
    ) {
        var key = first
        for index in reservations.indices {
            if case .uses = reservations[index].rule, reservations[index].staysWithRedemption == staying {
                enter(reservations[index].names, first: key, number)
            }
            key += reservations[index].names.count
        }
    }

    private mutating func enter(_ names: [LimitName], first: Int, _ number: Int64) {
        for position in names.indices where names[position].isEntered {
            let key = keys.keys[first + position]
            row.append(name: key)
            index.reservations.insert(number, under: key)
        }
    }

    private mutating func enterTotals(of reservations: ArraySlice<Reservation>, staying: Bool, first: Int) throws {
        var key = first
        for index in reservations.indices {
            if case .total = reservations[index].rule, reservations[index].staysWithRedemption == staying {
                try enter(total: keys.keys[key])
            }
            key += reservations[index].names.count
        }
    }

    private mutating func enter(total key: Int64) throws {
        row.append(total: key)
        index.reservations.insert(row: row.id, of: key)
        try totals.add(1, to: key, database)
    }

    /// Writes the row that is filling.
    mutating func flush() throws {
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
