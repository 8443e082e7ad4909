import CZlibShim

/// Compresses bytes in the zlib format (RFC 1950), and expands them again.
public enum Deflate {
    /// Returns the compressed bytes; empty if zlib gets no memory.
    public static func compress(_ bytes: [UInt8]) -> [UInt8] {
        let capacity = zs_capacity(bytes.count)
        return [UInt8](unsafeUninitializedCapacity: capacity) { out, used in
            used = zs_compress(bytes, bytes.count, out.baseAddress, capacity)
        }
    }

    /// Returns the expanded bytes; nil if the input is damaged, or the output is longer than `maxLength`.
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
