import EligibilityRules
import Testing

@testable import OfferService

@Suite("Names of limits")
struct OfferLimitNamesTests {
    @Test("They stay as they are: stores have their hashes, and what was counted under another name would not count")
    func stable() {
        let names = OfferLimitNames(bundleID: "com.example.app", environment: .sandbox, productID: "pro", offerID: "half")
        let prefix = "com.example.app\u{2063}1\u{2063}pro\u{2063}half\u{2063}"
        #expect(names.total == prefix)
        #expect(names.customer("Änne") == prefix + "customerÄnne")
        #expect(names.token("t") == prefix + "tokent")
        #expect(names.account(.apple("7")) == prefix + "account7")
        #expect(names.account(.subscription("2000000000000001")) == prefix + "subscription2000000000000001")
    }
}
