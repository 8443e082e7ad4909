import FoundationEssentials
import OfferStore

/// As the tables have them: 8 bytes each, and behind a mark those that stay with a redemption.
extension LimitNames {
    // No hash is it, but once in 2⁶⁴.
    static let mark = LimitKey(0)

    /// Reads them.
    init(_ bytes: UnsafeRawBufferPointer) {
        let numbers = stride(from: 0, to: bytes.count - 7, by: 8).map {
            LimitKey(bytes.loadUnaligned(fromByteOffset: $0, as: Int64.self))
        }
        let end = numbers.firstIndex(of: Self.mark) ?? numbers.endIndex
        self.init(Array(numbers[..<end]), staying: Array(numbers[end...].dropFirst()))
    }

    /// Reads a value of a row.
    init(_ data: Data) { self = data.withUnsafeBytes { LimitNames($0) } }

    /// As they are written.
    var data: Data {
        var data = Data()
        forEachWord { word in withUnsafeBytes(of: word.hash) { data.append(contentsOf: $0) } }
        return data
    }

    /// One after the other as they are written.
    func forEachWord(_ body: (LimitKey) -> Void) {
        own.forEach(body)
        if staying.isEmpty { return }
        body(Self.mark)
        staying.forEach(body)
    }
}
