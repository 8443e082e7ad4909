import OfferSigning

/// Bytes that are overwritten when they are let go of.
package final class SecretBytes: Sendable {
    // Written by its one owner only, before anybody else has it.
    private nonisolated(unsafe) let bytes: UnsafeMutableRawBufferPointer
    /// How many there are.
    package let count: Int

    /// - Parameter fill: writes them, and returns how many.
    package init(capacity: Int, _ fill: (UnsafeMutableRawBufferPointer) -> Int) {
        bytes = .allocate(byteCount: capacity, alignment: 1)
        count = fill(bytes)
    }

    /// Copies bytes that the caller overwrites.
    package convenience init(copying source: UnsafeRawBufferPointer) {
        self.init(capacity: source.count) { bytes in
            bytes.copyMemory(from: source)
            return source.count
        }
    }

    /// Takes bytes, and leaves zeros in their place, also for others that share the memory.
    package convenience init(taking source: UnsafeRawBufferPointer) {
        self.init(copying: source)
        Crypto.wipe(UnsafeMutableRawBufferPointer(mutating: source))
    }

    /// One after the other.
    package convenience init(joining parts: [SecretBytes]) {
        self.init(capacity: parts.reduce(0) { $0 + $1.count }) { bytes in
            var filled = 0
            for part in parts {
                part.withBytes { UnsafeMutableRawBufferPointer(rebasing: bytes[filled...]).copyMemory(from: $0) }
                filled += part.count
            }
            return filled
        }
    }

    deinit {
        Crypto.wipe(bytes)
        bytes.deallocate()
    }

    /// Lends them.
    package func withBytes<Result, Thrown>(
        _ body: (UnsafeRawBufferPointer) throws(Thrown) -> Result
    ) throws(Thrown) -> Result {
        try body(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
    }

    /// Puts spaces in the place of some.
    package func blank(_ range: Range<Int>) {
        UnsafeMutableRawBufferPointer(rebasing: bytes[range]).initializeMemory(as: UInt8.self, repeating: UInt8(ascii: " "))
    }
}
