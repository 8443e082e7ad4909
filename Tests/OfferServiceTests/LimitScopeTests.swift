import EligibilityRules
import OfferStore
import Testing

@testable import OfferService

@Suite("Names of limits")
struct LimitScopeTests {
    @Test("They stay as they are: stores have their hashes, and what was counted under another name would not count")
    func stable() {
        let scope = LimitScope(bundleID: "com.example.app", environment: .sandbox, productID: "pro", offerID: "half")
        let prefix = "com.example.app\u{2063}1\u{2063}pro\u{2063}half\u{2063}"
        #expect(scope.text(of: .total) == prefix)
        #expect(scope.text(of: LimitName(.customer, "Änne")) == prefix + "customerÄnne")
        #expect(scope.text(of: LimitName(.token, "t")) == prefix + "tokent")
        #expect(scope.text(of: LimitName(.account, "7")) == prefix + "account7")
        #expect(scope.text(of: LimitName(.subscription, "2000000000000001")) == prefix + "subscription2000000000000001")
    }
}
