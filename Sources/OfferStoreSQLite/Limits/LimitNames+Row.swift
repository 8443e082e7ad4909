import FoundationEssentials
import OfferStore

/// The stored form of limit names: 8 bytes each; those that stay with a redemption follow after a mark.
extension LimitNames {
    // A hash equals the mark with a probability of 2⁻⁶⁴.
    static let mark = LimitKey(0)

    /// Reads stored names.
    init(_ bytes: UnsafeRawBufferPointer) {
        let numbers = stride(from: 0, to: bytes.count - 7, by: 8).map {
            LimitKey(bytes.loadUnaligned(fromByteOffset: $0, as: Int64.self))
        }
        let end = numbers.firstIndex(of: Self.mark) ?? numbers.endIndex
        self.init(Array(numbers[..<end]), staying: Array(numbers[end...].dropFirst()))
    }

    /// Reads a value of a row.
    init(_ data: Data) { self = data.withUnsafeBytes { LimitNames($0) } }

    /// The stored form.
    var data: Data {
        var data = Data()
        forEachWord { word in withUnsafeBytes(of: word.hash) { data.append(contentsOf: $0) } }
        return data
    }

    /// Calls `body` with each word of the stored form.
    func forEachWord(_ body: (LimitKey) -> Void) {
        own.forEach(body)
        if staying.isEmpty { return }
        body(Self.mark)
        staying.forEach(body)
    }
}
