import COpenSSLShim
import FoundationEssentials

/// Cryptographic functions that need no key, and functions that protect the whole process.
public enum Crypto {
    /// Makes libcrypto wipe what it frees, opens its secure heap and forbids core dumps.
    ///
    /// Call it first in `main`, because libcrypto accepts another allocator only before its first allocation.
    public static func hardenProcess() throws(SigningError) {
        switch oss_harden_process() {
        case 0: return
        case 1: throw SigningError(.cryptoFailure, "libcrypto was in use before its allocator could be replaced")
        default: throw SigningError(.cryptoFailure, "core dumps could not be forbidden for this process")
        }
    }

    /// Whether NTP keeps the kernel's clock right. The error that the NTP daemon estimates must be less than five seconds.
    ///
    /// It is also false if the kernel does not answer.
    public static var isClockSynchronised: Bool { oss_is_clock_synchronised() == 1 }

    /// Returns the unused memory in the heaps of all threads to the operating system.
    public static func trimHeap() { oss_trim_heap() }

    /// Returns random bytes of cryptographic quality. Throws if OpenSSL has none.
    public static func randomBytes(_ count: Int) throws(SigningError) -> [UInt8] {
        var filled = false
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, used in
            filled = count == 0 || oss_random(buffer.baseAddress!, count) == 1
            used = count
        }
        guard filled else { throw SigningError(.cryptoFailure, "the random generator gave nothing") }
        return bytes
    }

    /// Returns the 32 bytes of the SHA-256 of a message.
    public static func sha256(_ message: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Int(OSS_DIGEST_SIZE)) { out, used in
            _ = oss_sha256(message, message.count, out.baseAddress)
            used = Int(OSS_DIGEST_SIZE)
        }
    }

    /// Returns the SHA-256 of bytes that are not in an array.
    @inlinable
    public static func sha256(_ message: some Sequence<UInt8>) -> [UInt8] {
        message.withContiguousStorageIfAvailable { sha256(bytes: UnsafeRawBufferPointer($0)) } ?? sha256(Array(message))
    }

    @usableFromInline
    static func sha256(bytes: UnsafeRawBufferPointer) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Int(OSS_DIGEST_SIZE)) { out, used in
            writeSHA256(of: bytes, to: UnsafeMutableRawPointer(out.baseAddress!))
            used = Int(OSS_DIGEST_SIZE)
        }
    }

    /// Writes the 32 bytes of the SHA-256 of a message.
    public static func writeSHA256(of message: UnsafeRawBufferPointer, to digest: UnsafeMutableRawPointer) {
        let bytes = message.bindMemory(to: UInt8.self)
        let made = oss_sha256(bytes.baseAddress, bytes.count, digest.assumingMemoryBound(to: UInt8.self))
        precondition(made == 1, "SHA-256 over memory does not fail")
    }

    /// Overwrites secret bytes that are not needed any more.
    public static func wipe(_ bytes: UnsafeMutableRawBufferPointer) { oss_cleanse(bytes.baseAddress, bytes.count) }

    /// Whether two byte arrays are equal. The comparison takes a time that depends only on their lengths.
    public static func constantTimeEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.count == right.count && oss_equal(left, right, left.count) == 1
    }

    /// Whether two UUIDs are equal. The comparison takes a time that does not depend on their values.
    static func constantTimeEqual(_ left: UUID, _ right: UUID) -> Bool {
        var (left, right) = (left.uuid, right.uuid)
        return oss_equal(&left, &right, MemoryLayout<uuid_t>.size) == 1
    }

    /// Encodes bytes as lower-case hexadecimal digits.
    public static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
