import Glibc
import OfferSigningTesting
import Testing

@testable import OfferSigning

@Suite("Verified chains that are remembered")
struct VerifiedChainCacheTests {
    private let authority: TestAuthority
    private let verifier: SignedDataVerifier

    init() throws {
        authority = try TestAuthority.shared.get()
        verifier = try SignedDataVerifier.trusting([authority.der("root")])
    }

    @Test("A full cache of verified chains forgets the oldest; a chain is forgotten in time")
    func cache() throws {
        let key = try #require(Certificate(der: authority.der("leaf"))?.publicKey())
        let chain = VerifiedChain(key: key, validity: 0...1)
        let cache = VerifiedChainCache(capacity: 2, lifetime: 1000)
        for name in 0..<3 as Range<UInt8> { cache.insert(chain, for: [name], now: Int64(name)) }
        #expect(cache.chain([0], now: 3) == nil)
        #expect(cache.chain([1], now: 1000)?.validity == 0...1)
        #expect(cache.chain([2], now: 1001)?.validity == 0...1)
        #expect(cache.chain([2], now: 1002) == nil)
        #expect(cache.chain([1], now: 0) == nil)
        let none = VerifiedChainCache(capacity: 0, lifetime: 1000)
        none.insert(chain, for: [1], now: 0)
        #expect(none.chain([1], now: 0) == nil)
        #expect(VerifiedChainCache.key(of: [[1], [2, 3]]) != VerifiedChainCache.key(of: [[1, 2], [3]]))
    }

    @Test("Two chains in a cache for one do not get into each other's way")
    func smallCache() throws {
        let verifier = try SignedDataVerifier.trusting([authority.der("root")], cacheCapacity: 1)
        let chains = [["leaf", "intermediate", "root"], ["other-leaf", "intermediate", "root"]]
        for round in 0..<6 {
            let jws = try authority.jws(chains[round % 2])
            #expect(try verifier.verify(jws).signedDate == TestAuthority.signedDate)
            let forged = try authority.jws(chains[round % 2], signedBy: chains[1 - round % 2][0])
            #expect(throws: SignedDataError(.invalidSignature, "")) { try verifier.verify(forged) }
        }
    }

    @Test("Many threads verify at once")
    func concurrency() async throws {
        let (verifier, good) = (verifier, try authority.jws())
        let bad = try authority.jws(signedBy: "other-leaf")
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<50 {
                        guard (try? verifier.verify(good)) != nil, (try? verifier.verify(bad)) == nil else { return false }
                    }
                    return true
                }
            }
            for try await isRight in group { #expect(isRight) }
        }
    }

    @Test("A chain that is remembered is verified faster")
    func timing() throws {
        let jws = try authority.jws()
        let forgetful = try SignedDataVerifier.trusting([authority.der("root")], cacheCapacity: 0)
        _ = try verifier.verify(jws)
        // The least of many, in CPU time: other tests have the processor now and then.
        let (known, unknown) = try (0..<50).reduce((Int.max, Int.max)) { least, _ in
            (min(least.0, try nanoseconds(verifier, jws)), min(least.1, try nanoseconds(forgetful, jws)))
        }
        #expect(known < unknown / 2, "known \(known) ns, unknown \(unknown) ns")
    }

    private func nanoseconds(_ verifier: SignedDataVerifier, _ jws: String) throws -> Int {
        func now() -> Int {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return time.tv_sec * 1_000_000_000 + time.tv_nsec
        }
        let start = now()
        _ = try verifier.verify(jws)
        return now() - start
    }
}
