/// Bytes that grow and are used again: no memory is allocated for a row once there was one as long.
///
/// Of one thread at a time.
final class AuditBytes {
    private var memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1024, alignment: 8)
    private(set) var count = 0

    deinit { memory.deallocate() }

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[..<count]) }

    func removeAll() { count = 0 }

    /// Forgets what lies behind this many bytes.
    func removeAll(after end: Int) { count = end }

    func append(_ bytes: UnsafeRawBufferPointer) {
        let place = room(for: bytes.count)
        if let start = bytes.baseAddress { place.copyMemory(from: start, byteCount: bytes.count) }
    }

    func append(_ byte: UInt8) { room(for: 1).storeBytes(of: byte, as: UInt8.self) }

    func append(_ number: UInt32) { room(for: 4).storeBytes(of: number.bigEndian, as: UInt32.self) }

    func append(_ number: Int64) { room(for: 8).storeBytes(of: number.bigEndian, as: Int64.self) }

    /// Writes over a number that stands there.
    func set(_ number: UInt32, at place: Int) { memory.storeBytes(of: number.bigEndian, toByteOffset: place, as: UInt32.self) }

    /// Writes over what stands there.
    func set(_ bytes: UnsafeRawBufferPointer, at place: Int) {
        memory.baseAddress!.advanced(by: place).copyMemory(from: bytes.baseAddress!, byteCount: bytes.count)
    }

    /// Room for so many more bytes, counted as if they were there.
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
