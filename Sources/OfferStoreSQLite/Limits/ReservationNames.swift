import FoundationEssentials

/// The numbers of names as the tables have them, 8 bytes each: those of an offer, and behind a mark those that stay with a redemption.
struct ReservationNames {
    // No hash is it, but once in 2⁶⁴.
    static let mark: Int64 = 0

    /// An offer's: a redemption says itself under which it counts.
    private(set) var own: [Int64] = []
    /// A redemption counts under these because its signature did.
    private(set) var staying: [Int64] = []

    /// Takes the values as they are.
    init(_ own: [Int64] = [], staying: [Int64] = []) {
        self.own = own
        self.staying = staying
    }

    /// Reads them.
    init(_ bytes: UnsafeRawBufferPointer) {
        let numbers = stride(from: 0, to: bytes.count - 7, by: 8).map { bytes.loadUnaligned(fromByteOffset: $0, as: Int64.self) }
        let end = numbers.firstIndex(of: Self.mark) ?? numbers.endIndex
        own = Array(numbers[..<end])
        staying = Array(numbers[end...].dropFirst())
    }

    /// Reads a value of a row.
    init(_ data: Data) { self = data.withUnsafeBytes { ReservationNames($0) } }

    /// All of them.
    var all: [Int64] { staying.isEmpty ? own : own + staying }

    /// Whether there are none.
    var isEmpty: Bool { own.isEmpty && staying.isEmpty }

    /// As they are written.
    var data: Data {
        var data = Data()
        forEachWord { word in withUnsafeBytes(of: word) { data.append(contentsOf: $0) } }
        return data
    }

    /// One after the other as they are written.
    func forEachWord(_ body: (Int64) -> Void) {
        own.forEach(body)
        if staying.isEmpty { return }
        body(Self.mark)
        staying.forEach(body)
    }
}
