import CZlibShim

/// Compressed bytes (RFC 1950).
public enum Deflate {
    /// The bytes, compressed; empty if there is no memory for it.
    public static func compress(_ bytes: [UInt8]) -> [UInt8] {
        let capacity = zs_capacity(bytes.count)
        return [UInt8](unsafeUninitializedCapacity: capacity) { out, used in
            used = zs_compress(bytes, bytes.count, out.baseAddress, capacity)
        }
    }

    /// What was compressed; nil if the bytes are damaged, or if it is longer than `maxLength`.
    public static func expand(_ bytes: some Collection<UInt8>, maxLength: Int) -> [UInt8]? {
        let bytes = Array(bytes)
        var isWhole = false
        let expanded = [UInt8](unsafeUninitializedCapacity: maxLength) { out, used in
            let length = zs_expand(bytes, bytes.count, out.baseAddress, maxLength)
            isWhole = length <= maxLength
            used = isWhole ? length : 0
        }
        return isWhole ? expanded : nil
    }
}
