import OfferSigning

/// Holds secret bytes, such as those of a key, and overwrites them when it is released.
package final class SecretBytes: Sendable {
    // Only the initialiser and `blank` write the bytes, while no other thread has the object.
    private nonisolated(unsafe) let bytes: UnsafeMutableRawBufferPointer
    package let count: Int

    /// - Parameter fill: writes the bytes, and returns their number.
    package init(capacity: Int, _ fill: (UnsafeMutableRawBufferPointer) -> Int) {
        bytes = .allocate(byteCount: capacity, alignment: 1)
        count = fill(bytes)
    }

    /// Copies bytes. The caller must overwrite the original bytes.
    package convenience init(copying source: UnsafeRawBufferPointer) {
        self.init(capacity: source.count) { bytes in
            bytes.copyMemory(from: source)
            return source.count
        }
    }

    /// Moves bytes here, and leaves zeros in their place.
    ///
    /// All other owners of that memory see the zeros, too.
    package convenience init(taking source: UnsafeRawBufferPointer) {
        self.init(copying: source)
        Crypto.wipe(UnsafeMutableRawBufferPointer(mutating: source))
    }

    /// Joins the parts in order.
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

    /// Calls `body` with the bytes, which are valid only during the call.
    package func withBytes<Result, Thrown>(
        _ body: (UnsafeRawBufferPointer) throws(Thrown) -> Result
    ) throws(Thrown) -> Result {
        try body(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
    }

    /// Overwrites a range with spaces.
    package func blank(_ range: Range<Int>) {
        UnsafeMutableRawBufferPointer(rebasing: bytes[range]).initializeMemory(as: UInt8.self, repeating: UInt8(ascii: " "))
    }
}
