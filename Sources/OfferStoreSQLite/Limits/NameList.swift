import FoundationEssentials

/// The numbers of names as the table `offer_redemption` has them: 8 bytes each.
enum NameList {
    static func data(_ names: [Int64]) -> Data { names.withUnsafeBytes { Data($0) } }

    /// The same, back.
    static func names(_ data: Data) -> [Int64] {
        data.withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count - 7, by: 8).map { bytes.loadUnaligned(fromByteOffset: $0, as: Int64.self) }
        }
    }
}
