import EligibilityRules
import Testing
import WireText

@testable import AppStore

@Suite("Fields as Apple writes them")
struct AppleObjectTests {
    private func object(_ value: String) throws -> AppleObject {
        try #require(AppleObject(parsing: Array(#"{"field":\#(value)}"#.utf8)))
    }

    @Test(
        "Booleans are Booleans, numbers or strings",
        arguments: [
            ("true", true), (#""true""#, true), ("1", true), (#""1""#, true), ("false", false), (#""false""#, false),
            ("0", false), (#""0""#, false), ("1.0", true), ("1.5", nil), ("0.5", nil), (#""1.5""#, nil),
            ("null", nil), ("2", nil), (#""yes""#, nil), (#""""#, nil), ("[true]", nil), ("{}", nil),
        ])
    func flags(json: String, flag: Bool?) throws {
        #expect(try object(json).flag("field") == flag)
    }

    @Test(
        "Measured numbers are numbers or strings, fractions are cut off, and what is too large is not there",
        arguments: [
            ("1531643137200", 1_531_643_137_200), (#""1531643137200""#, 1_531_643_137_200),
            ("1531643137200.75", 1_531_643_137_200),
            ("1.5316431372e12", 1_531_643_137_200), ("-0.5", -1), ("0", 0), ("4000000000000000", 4_000_000_000_000_000),
            ("4000000000000001", nil), ("-4000000000000001", nil), ("9999999999999999999", nil), ("1e400", nil), ("-1e400", nil),
            (#""1e400""#, nil), (#""0x1p3""#, nil), (#""inf""#, nil), (#""nan""#, nil), (#""""#, nil), (#"" 1""#, nil),
            (#""1 ""#, nil),
            (#""e""#, nil), ("true", nil), ("null", nil), ("[1]", nil), ("1e-400", 0),
            ("100000000000000000000000000000000000000", nil), ("0.\(String(repeating: "0", count: 40))1", nil),
        ])
    func measures(json: String, number: Int64?) throws {
        #expect(try object(json).measure("field") == number)
        #expect(try object(json).instant("field") == number.map(Instant.init(milliseconds:)))
    }

    @Test(
        "Other numbers are whole, and values of signed data are no texts",
        arguments: [
            ("3", 3, 3), ("3.0", 3, 3), ("3e0", 3, 3), ("-3", -3, -3), (#""3""#, 3, nil), ("3.5", nil, nil),
            (#""3.5""#, nil, nil), ("2.9999999999", nil, nil), ("1e-400", 0, 0), ("-0.5", nil, nil), ("true", nil, nil),
            ("null", nil, nil),
            ("[3]", nil, nil), (#""three""#, nil, nil), ("9999999999999999999", nil, nil),
        ] as [(String, Int64?, Int64?)])
    func integers(json: String, number: Int64?, code: Int64?) throws {
        #expect(try object(json).integer("field") == number)
        #expect(try object(json).code("field") == code)
    }

    @Test(
        "A value of an enumeration is known in Apple's JSON type only; receipts have digits as text, too",
        arguments: [
            (AppleEnumeration.offerType, #"1 5 1.0"#, #"0 6 1.5 "1" true null"#),
            (.autoRenewStatus, "0 1", #"2 0.5 "1" "true" true"#), (.status, "1 5", #"1.5 "5""#),
            (.revocationReason, "0 1", #"0.1 "0""#), (.expirationIntent, "1 5", #"5.5 "2""#),
            (.priceIncreaseStatus, "0 1", #"0.5 "0""#),
            (.expirationIntent.inReceipts(), #""1" "5" 5"#, #""6" 1.5 "1.5" "01" "true" true"#),
            (.autoRenewStatus.inReceipts(or: "true", "false"), #""1" "true" 0 false"#, #""2" 0.5"#),
            (.ownership, #""PURCHASED""#, #""GIVEN" 1 true"#), (.ownership.inReceipts(), #""PURCHASED""#, #""GIVEN" 1"#),
        ])
    func enumerations(enumeration: AppleEnumeration, known: String, unknown: String) throws {
        for (values, isKnown) in [(known, true), (unknown, false)] {
            for value in values.split(separator: " ") {
                #expect(enumeration.isKnown(try Samples.json(String(value))) == isKnown, "\(enumeration.name) \(value)")
            }
        }
    }

    @Test(
        "Ids are strings or digits; empty ones and ones with U+0000 are not there",
        arguments: [
            (#""a b""#, "a b"), ("1000000666265459", "1000000666265459"), ("1.5", nil), ("1e3", nil), ("-1", nil), (#""""#, nil),
            (#""a\u0000""#, nil), ("true", nil), ("null", nil), ("{}", nil),
        ])
    func texts(json: String, text: String?) throws {
        #expect(try object(json).text("field") == text)
    }

    @Test(
        "Dates of receipts are read in every spelling, milliseconds first",
        arguments: [
            (#"{"d_ms":"1589798237000","d":"2001-01-01 00:00:00 Etc/GMT"}"#, 1_589_798_237_000),
            (#"{"d_ms":1589798237000}"#, 1_589_798_237_000), (#"{"d":"1589798237000"}"#, 1_589_798_237_000),
            (#"{"d":"2020-05-18 10:37:17 Etc/GMT"}"#, 1_589_798_237_000),
            (#"{"d_ms":"","d":"2020-05-18 10:37:17 Etc/GMT"}"#, 1_589_798_237_000),
            (#"{"d_formatted":"2020-05-18 10:37:17 Etc/GMT"}"#, 1_589_798_237_000),
            (#"{"d_pst":"2020-05-18 03:37:17 America/Los_Angeles"}"#, nil), (#"{"d_ms":"99999999999999999999999"}"#, nil),
            ("{}", nil),
        ] as [(String, Int64?)])
    func dates(json: String, milliseconds: Int64?) throws {
        let object = try #require(AppleObject(parsing: Array(json.utf8)))
        #expect(object.date("d") == milliseconds.map(Instant.init(milliseconds:)))
    }

    @Test(
        "Dates as text follow the calendar",
        arguments: [
            ("1970-01-01 00:00:00 Etc/GMT", 0), ("2000-02-29 23:59:59 Etc/GMT", 951_868_799_000),
            ("2013-08-01 07:00:00 Etc/GMT", 1_375_340_400_000), ("2100-03-01 00:00:00 Etc/GMT", 4_107_542_400_000),
            ("9999-12-31 23:59:59 Etc/GMT", 253_402_300_799_000), ("2100-02-29 00:00:00 Etc/GMT", nil),
            ("2023-04-31 00:00:00 Etc/GMT", nil), ("2023-13-01 00:00:00 Etc/GMT", nil), ("2023-00-01 00:00:00 Etc/GMT", nil),
            ("2023-01-00 00:00:00 Etc/GMT", nil), ("2023-01-01 24:00:00 Etc/GMT", nil), ("2023-01-01 00:60:00 Etc/GMT", nil),
            ("1969-12-31 23:59:59 Etc/GMT", nil), ("2023-01-01T00:00:00", nil), ("2023-01-01 00:00:00", nil),
            ("2023-01-01 00:00:00 America/Los_Angeles", nil), ("+023-01-01 00:00:00 Etc/GMT", nil), ("", nil),
        ] as [(String, Int64?)])
    func calendar(text: String, milliseconds: Int64?) {
        #expect(AppleDate.instant(text) == milliseconds.map(Instant.init(milliseconds:)))
    }

    @Test(
        "Dates are RFC 3339 as a whole",
        arguments: [
            ("2020-10-01T12:00:00Z", 0), ("2020-10-01T12:00:00.5Z", 500), ("2020-10-01T12:00:00.123Z", 123),
            ("2020-10-01T12:00:00.9999999999999999999999Z", 999), ("2020-10-01 12:00:00.250 Etc/GMT", 250),
            ("2020-10-01T14:30:00+02:30", 0), ("2020-10-01T05:00:00.007-07:00", 7), ("2020-10-01T12:00:00-00:00", 0),
            ("2020-10-02T11:59:00+23:59", 0), ("2020-10-01t12:00:00z", 0), ("2020-10-01 12:00:00Z", 0),
            ("2020-10-01T11:59:60Z", 0), ("2020-10-01T11:59:60.5+00:00", 500),
            ("2020-10-01T12:00:00.Z", nil), ("2020-10-01T12:00:00,5Z", nil), ("2020-10-01T12:00:00+0200", nil),
            ("2020-10-01T12:00:00+02", nil), ("2020-10-01T12:00:00+24:00", nil), ("2020-10-01T12:00:00+02:60", nil),
            ("2020-10-01T12:00:00Z ", nil), ("2020-10-01T12:00:00ZZ", nil), ("2020-10-01T12:00:61Z", nil),
            ("2020-10-01T12:00Z", nil), ("2020-10-01", nil), ("2020-10-01  12:00:00Z", nil), ("20201001T120000Z", nil),
        ] as [(String, Int64?)])
    func rfc3339(text: String, milliseconds: Int64?) {
        let noon: Int64 = 1_601_553_600_000
        #expect(AppleDate.instant(text) == milliseconds.map { Instant(milliseconds: noon + $0) })
    }

    @Test(
        "A date that is stated and cannot be read is told from one that is not stated",
        arguments: [
            (#"{"d":"soon"}"#, "soon"), (#"{"d_ms":"99999999999999999999999"}"#, "99999999999999999999999"),
            (#"{"d_ms":"-1"}"#, "-1"), (#"{"d_ms":"-1","d":"2020-10-01 12:00:00Z"}"#, nil),
            (#"{"d_ms":"1601553600000.25","d":"soon"}"#, nil), (#"{"d":"2020-10-01T12:00:00.5+02:00"}"#, nil),
            (#"{"d":""}"#, nil), (#"{"d":null}"#, nil), ("{}", nil),
        ] as [(String, String?)])
    func unreadableDates(json: String, text: String?) throws {
        let object = try #require(AppleObject(parsing: Array(json.utf8)))
        #expect(object.unreadableDate("d") == text)
    }

    @Test("JSON written again keeps order, spelling of numbers and escapes")
    func bytes() throws {
        let text = #"{"b":[1.50,-2e+3,true,false,null,"ü\n\"\\\u0001"],"a":{},"c":[]}"#
        #expect(String(decoding: try Samples.json(text).bytes, as: UTF8.self) == text)
    }
}
