import OfferSigning
import Testing

@testable import OfferService

@Suite("Nonce place")
struct NoncePlaceTests {
    @Test("Random parts share their first 16 bits for a while, and nothing else")
    func places() throws {
        let place = NoncePlace()
        let parts = try (0..<3 * NoncePlace.stay).map { _ in
            place.place(try Crypto.randomBytes(NonceSeal.randomByteCount))
        }
        #expect(parts.allSatisfy { $0.count == NonceSeal.randomByteCount })
        #expect(Set(parts).count == parts.count)
        for start in stride(from: 0, to: parts.count, by: NoncePlace.stay) {
            let stay = parts[start..<start + NoncePlace.stay]
            #expect(Set(stay.map { $0.prefix(2) }).count == 1)
            for index in 2..<NonceSeal.randomByteCount { #expect(Set(stay.map { $0[index] }).count > 200) }
        }
        // Three equal places in a row: once in four thousand million runs.
        #expect(Set(parts.map { $0.prefix(2) }).count > 1)
    }
}
