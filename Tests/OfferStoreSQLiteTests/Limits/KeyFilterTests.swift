import OfferStore
import Testing

@testable import OfferStoreSQLite

@Suite("Filter of keys")
struct KeyFilterTests {
    @Test("None that was taken in is left out, and few others are taken for one")
    func membership() {
        var random = SystemRandomNumberGenerator()
        var filter = KeyFilter()
        #expect(!filter.mayContain(LimitKey(0)) && !filter.mayContain(LimitKey(-1)))
        let members = (0..<100_000).map { _ in LimitKey(.random(in: .min ... .max, using: &random)) }
        for member in members { filter.insert(member) }
        #expect(members.allSatisfy(filter.mayContain))
        let strangers = (0..<100_000).count { _ in filter.mayContain(LimitKey(.random(in: .min ... .max, using: &random))) }
        // By the formula each of its parts takes 0.24 % for members when it is full.
        #expect(strangers < 2_000)
    }
}
