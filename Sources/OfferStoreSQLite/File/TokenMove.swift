import FoundationEssentials
import GRDB

/// Moves outstanding signatures into the sixteenth migration's form: without what the ledger already contains.
enum TokenMove {
    /// A signature in a row, in the form before this migration. Later versions may have other forms.
    private struct Signature {
        static let headLength = 44

        let number: Int64
        let until: Int64
        let nonce: Data
        let names: Data
        let totals: Data
        let token: Data

        /// Removes a signature from the front; nil for none.
        init?(_ rest: inout Data) {
            guard rest.count >= Self.headLength else { return nil }
            var head = rest.prefix(Self.headLength)
            (number, until) = (TokenMove.take(&head), TokenMove.take(&head))
            nonce = head.prefix(16)
            head.removeFirst(16)
            let counts: [UInt32] = [TokenMove.take(&head), TokenMove.take(&head), TokenMove.take(&head)]
            rest.removeFirst(Self.headLength)
            func part(_ length: Int) -> Data {
                defer { rest = rest.dropFirst(length) }
                return rest.prefix(length)
            }
            (names, totals) = (part(8 * Int(counts[0])), part(8 * Int(counts[1])))
            token = TokenMove.token(part(Int(counts[2])))
        }
    }

    private static let perRequest: Int64 = 1024

    static func run(_ database: Database) throws {
        for row in try Row.fetchAll(database, sql: "SELECT id, signatures FROM reservation ORDER BY id") {
            var (rest, bytes) = (row[1] as Data, Data())
            var base: (number: Int64, until: Int64)?
            while let signature = Signature(&rest) {
                let number = try number(of: signature, database)
                if base == nil {
                    base = (number, signature.until)
                    for value in [number, signature.until] { put(value, &bytes) }
                }
                put(UInt32(number - base!.number), &bytes)
                put(Int32(signature.until - base!.until), &bytes)
                put(UInt32(signature.names.count / 8), &bytes)
                put(UInt16(signature.totals.count / 8), &bytes)
                put(UInt16(signature.token.count), &bytes)
                bytes += signature.names + signature.totals + signature.token
            }
            try database.execute(
                sql: "UPDATE reservation SET id = ?, signatures = ? WHERE id = ?",
                arguments: [base?.number ?? row[0], bytes, row[0] as Int64])
        }
    }

    /// The number with the signature's position among all signatures of the request. It was that among limited signatures.
    private static func number(of signature: Signature, _ database: Database) throws -> Int64 {
        let request = signature.number / perRequest
        let nonces = try Data.fetchOne(database, sql: "SELECT nonces FROM signed_request WHERE id = ?", arguments: [request])
        let position = nonces.flatMap { nonces in
            stride(from: 0, to: nonces.count, by: 16).first { nonces.dropFirst($0).prefix(16) == signature.nonce }
        }
        return position.map { request * perRequest + Int64($0 / 16) } ?? signature.number
    }

    /// The token within the stored value.
    ///
    /// Four texts come first, each ended by a byte that is not valid in UTF-8. They identify who may have the token. Then follow
    /// the length of the key id, the key id, nonce, timestamp and form.
    private static func token(_ kept: Data) -> Data {
        var rest = kept
        for _ in 0..<4 {
            guard let end = rest.firstIndex(of: 0xFF) else { return Data() }
            rest = rest[(end + 1)...]
        }
        return rest.first.map { rest.dropFirst(1 + Int($0) + 16 + 8 + 1) } ?? Data()
    }

    private static func take<Number: FixedWidthInteger>(_ bytes: inout Data) -> Number {
        let size = MemoryLayout<Number>.size
        defer { bytes = bytes.dropFirst(size) }
        return bytes.prefix(size).withUnsafeBytes { $0.loadUnaligned(as: Number.self) }
    }

    private static func put<Number: FixedWidthInteger>(_ number: Number, _ bytes: inout Data) {
        withUnsafeBytes(of: number) { bytes.append(contentsOf: $0) }
    }
}
