import OfferSigning
import Testing

@testable import OfferService

@Suite("Nonce locality")
struct NonceLocalityTests {
    @Test("Random parts share their first 16 bits for a while, and nothing else")
    func prefixes() throws {
        let locality = NonceLocality()
        let parts = try (0..<3 * NonceLocality.seriesPerPrefix).map { _ in
            locality.prefixed(try Crypto.randomBytes(NonceSeal.randomByteCount))
        }
        #expect(parts.allSatisfy { $0.count == NonceSeal.randomByteCount })
        #expect(Set(parts).count == parts.count)
        for start in stride(from: 0, to: parts.count, by: NonceLocality.seriesPerPrefix) {
            let series = parts[start..<start + NonceLocality.seriesPerPrefix]
            #expect(Set(series.map { $0.prefix(2) }).count == 1)
            for index in 2..<NonceSeal.randomByteCount { #expect(Set(series.map { $0[index] }).count > 200) }
        }
        // Three equal prefixes in a row: once in four thousand million runs.
        #expect(Set(parts.map { $0.prefix(2) }).count > 1)
    }
}
