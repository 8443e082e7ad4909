import FoundationEssentials

/// How signatures that count for limits lie in the table `reservation`, at whose end each is written.
enum ReservationRow {
    /// More than a request can have signatures.
    private static let perRequest: Int64 = 1024

    /// The number of a row.
    ///
    /// - Parameters:
    ///   - request: the number of the request's row; no two ever have the same.
    ///   - position: of the signature among those of the request that are limited.
    static func id(request: Int64, position: Int) -> Int64 {
        precondition(position < perRequest)
        return request * perRequest + Int64(position)
    }

    /// The numbers that the rows of a request have.
    static func ids(request: Int64) -> ClosedRange<Int64> {
        id(request: request, position: 0)...id(request: request, position: Int(perRequest) - 1)
    }

    /// The numbers of names as the table has them: 8 bytes each.
    static func names(_ bytes: UnsafeRawBufferPointer) -> [Int64] { ReservationNames(bytes).all }

    /// The same, of a value that was read.
    static func names(_ data: Data) -> [Int64] { data.withUnsafeBytes { names($0) } }

    /// Whether a name is among them.
    static func contains(_ name: Int64, in bytes: UnsafeRawBufferPointer) -> Bool {
        for offset in stride(from: 0, to: bytes.count - 7, by: 8)
        where bytes.loadUnaligned(fromByteOffset: offset, as: Int64.self) == name { return true }
        return false
    }
}
