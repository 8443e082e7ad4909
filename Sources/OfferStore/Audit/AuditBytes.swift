/// A byte buffer that grows and is reused, so that most rows need no allocation.
///
/// Not thread-safe.
final class AuditBytes {
    private var memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1024, alignment: 8)
    private(set) var count = 0

    deinit { memory.deallocate() }

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[..<count]) }

    func removeAll() { count = 0 }

    /// Removes the bytes after this many.
    func removeAll(after end: Int) { count = end }

    func append(_ bytes: UnsafeRawBufferPointer) {
        let place = room(for: bytes.count)
        if let start = bytes.baseAddress { place.copyMemory(from: start, byteCount: bytes.count) }
    }

    func append(_ byte: UInt8) { room(for: 1).storeBytes(of: byte, as: UInt8.self) }

    func append(_ number: UInt32) { room(for: 4).storeBytes(of: number.bigEndian, as: UInt32.self) }

    func append(_ number: Int64) { room(for: 8).storeBytes(of: number.bigEndian, as: Int64.self) }

    /// Overwrites four bytes with a number.
    func set(_ number: UInt32, at place: Int) { memory.storeBytes(of: number.bigEndian, toByteOffset: place, as: UInt32.self) }

    /// Overwrites bytes in place.
    func set(_ bytes: UnsafeRawBufferPointer, at place: Int) {
        memory.baseAddress!.advanced(by: place).copyMemory(from: bytes.baseAddress!, byteCount: bytes.count)
    }

    /// Reserves this many more bytes, which count at once.
    func room(for more: Int) -> UnsafeMutableRawPointer {
        if memory.count - count < more { grow(by: more) }
        defer { count += more }
        return memory.baseAddress! + count
    }

    private func grow(by more: Int) {
        let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: 2 * (count + more), alignment: 8)
        larger.baseAddress!.copyMemory(from: memory.baseAddress!, byteCount: count)
        memory.deallocate()
        memory = larger
    }
}
