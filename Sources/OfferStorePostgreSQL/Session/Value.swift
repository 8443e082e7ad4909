import OfferStoreSQL

// PostgreSQL's binary form.
extension SQLValue {
    /// The type's OID in `pg_type`.
    var type: UInt32 {
        switch self {
        case .number: 20
        case .text, .id: 25
        case .bytes: 17
        case .flag: 16
        case .numbers: 1016
        case .texts: 1009
        case .blobs: 1001
        case .flags: 1000
        }
    }

    private var elementType: UInt32 {
        switch self {
        case .numbers: 20
        case .texts: 25
        case .blobs: 17
        case .flags: 16
        case .number, .text, .id, .bytes, .flag: 0
        }
    }

    /// Appends the binary form. Returns false for NULL, which has none.
    func encode(into bytes: inout [UInt8]) -> Bool {
        switch self {
        case .number(let number):
            guard let number else { return false }
            bytes.append(bigEndian: number)
        case .text(let text):
            guard let text else { return false }
            bytes += text.utf8
        case .id(let id): bytes += id.utf8
        case .bytes(let value):
            guard let value else { return false }
            bytes += value
        case .flag(let flag):
            guard let flag else { return false }
            bytes.append(flag ? 1 : 0)
        case .numbers(let numbers):
            encode(numbers, into: &bytes) { bytes, number in bytes.append(bigEndian: number) }
        case .texts(let texts):
            encode(texts, into: &bytes) { bytes, text in bytes += text.utf8 }
        case .blobs(let blobs):
            encode(blobs, into: &bytes) { bytes, blob in bytes += blob }
        case .flags(let flags):
            encode(flags, into: &bytes) { bytes, flag in bytes.append(flag ? 1 : 0) }
        }
        return true
    }

    /// The binary form: number of dimensions, NULL flag, type, length, first index; then each element after its length.
    private func encode<Element>(
        _ elements: [Element?],
        into bytes: inout [UInt8],
        _ append: (inout [UInt8], Element) -> Void
    ) {
        bytes.append(bigEndian: Int32(elements.isEmpty ? 0 : 1))
        bytes.append(bigEndian: Int32(elements.contains { $0 == nil } ? 1 : 0))
        bytes.append(bigEndian: elementType)
        guard !elements.isEmpty else { return }
        bytes.append(bigEndian: Int32(elements.count))
        bytes.append(bigEndian: Int32(1))
        for element in elements {
            let start = bytes.count
            bytes.append(bigEndian: Int32(-1))
            guard let element else { continue }
            append(&bytes, element)
            withUnsafeBytes(of: Int32(bytes.count - start - 4).bigEndian) { bytes.replaceSubrange(start..<start + 4, with: $0) }
        }
    }
}

extension [UInt8] {
    fileprivate mutating func append(bigEndian number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
    }
}
