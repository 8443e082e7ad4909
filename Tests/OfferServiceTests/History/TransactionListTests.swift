import Testing

@testable import OfferService

@Suite("A list of transaction ids")
struct TransactionListTests {
    private func list(_ first: String, _ names: TransactionList.Names = TransactionList.Names()) throws -> TransactionList {
        try TransactionList(firstLine: Array(first.utf8)[...], names: names)
    }

    private func line(_ text: String) -> ArraySlice<UInt8> { Array(text.utf8)[...] }

    @Test("The columns are found by their names, whatever stands between them")
    func columns() throws {
        let list = try list("\u{FEFF}x,transactionId,\"customerId\"\r")
        #expect(list.isSkipped(line("x,transactionId,customerId"), number: 1) && list.isSkipped(line("\r"), number: 7))
        #expect(!list.isSkipped(line("a,b,c"), number: 2))
        #expect(try list.entry(line("a,20001,u-1\r")) == .init(customerID: "u-1", transactionID: "20001"))
        #expect(try list.entry(line("\"a,\"\"b\"\"\",\"20001\",\"u,1\"")) == .init(customerID: "u,1", transactionID: "20001"))
        for (text, code) in [
            ("a,1", "malformed-csv"), ("a,1,\"u", "malformed-csv"), ("a,1,", "invalid-field"), ("a,1 2,u", "invalid-field"),
        ] {
            let error = #expect(throws: ImportLine.Rejection.self) { try list.entry(line(text)) }
            #expect(error?.code == code, "\(text)")
        }
        // José in Latin-1.
        #expect(throws: ImportLine.Rejection.self) { try list.entry([0x61, 0x2C, 0x31, 0x2C, 0x4A, 0x6F, 0x73, 0xE9]) }
        let spaced = try TransactionList(firstLine: line("customerId, transactionId"), number: 3)
        #expect(spaced.isSkipped(line("customerId, transactionId"), number: 3) && !spaced.isSkipped(line("u, 1"), number: 4))
        #expect(try spaced.entry(line("u , 1")) == .init(customerID: "u", transactionID: "1"))
        let named = try self.list("id;store", TransactionList.Names(customer: "id", transaction: "store"))
        #expect(try named.entry(line("u;1")) == .init(customerID: "u", transactionID: "1"))
    }

    @Test(
        "A header without the columns is refused", arguments: ["customerId", "transactionId", "a,b", "customerid,transactionid"])
    func header(first: String) {
        #expect(throws: FileError.self) { try list(first) }
    }

    @Test("An object names the two, and may have more")
    func objects() throws {
        let list = try list(#"{"customerId":"u","transactionId":"1"}"#)
        #expect(!list.isSkipped(line("{}"), number: 1))
        #expect(
            try list.entry(line(#"{"transactionId":"1","x":[],"customerId":"ü"}"#)) == .init(customerID: "ü", transactionID: "1"))
        let marked = "\u{FEFF}" + #"{"customerId":"u","transactionId":"1"}"#
        #expect(try self.list(marked).entry(line(marked)) == .init(customerID: "u", transactionID: "1"))
        for text in ["{}", "[]", "1", #"{"customerId":"u","transactionId":1}"#, #"{"customerId":"","transactionId":"1"}"#] {
            let error = #expect(throws: ImportLine.Rejection.self) { try list.entry(line(text)) }
            #expect(error?.code == "invalid-field")
        }
        let error = #expect(throws: ImportLine.Rejection.self) { try list.entry(line("{")) }
        #expect(error?.code == "malformed-json")
    }
}
