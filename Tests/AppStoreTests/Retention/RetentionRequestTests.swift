import EligibilityRules
import FoundationEssentials
import Testing

@testable import AppStore
@testable import OfferSigning

@Suite("Retention requests and answers")
struct RetentionRequestTests {
    private static let now: Instant = 1_700_000_000_000
    private static let request = """
        "originalTransactionId":"7","appAppleId":42,"productId":"pro","userLocale":"en-US","environment":"Production",
        "requestIdentifier":"C0FFEE00-1111-4222-8333-444455556666","signedDate":1700000000000
        """

    private func read(
        _ payload: String,
        at now: Instant = now,
        appAppleID: Int64? = 42,
        environment: AppStoreEnvironment = .production
    ) throws(SignedDataError) -> RetentionRequest {
        let reader = SignedDataReader { jws throws(SignedDataError) in
            guard let payload = try? Samples.json("{\(jws)}") else { throw SignedDataError(.malformedPayload, jws) }
            return SignedData(payload: payload, signedDate: nil, isLocal: false)
        }
        let identity = AppIdentity(bundleID: "com.example", appAppleID: appAppleID, environment: environment)
        return try reader.retentionRequest(payload, for: identity, at: now)
    }

    private func code(_ body: () throws(SignedDataError) -> RetentionRequest) -> SignedDataError.Code? {
        do throws(SignedDataError) { _ = try body() } catch { return error.code }
        return nil
    }

    @Test("All that the App Store says is read; its UUID gets one spelling, and unknown values are named")
    func read() throws {
        let request = try read(Self.request + #","billingPlanType":"MONTHLY","moon":null"#)
        #expect(request.originalTransactionID == "7" && request.productID == "pro" && request.userLocale == "en-US")
        #expect(request.requestIdentifier == "c0ffee00-1111-4222-8333-444455556666" && request.signedDate == Self.now)
        #expect(request.unrecognisedFields == ["billingPlanType", "moon"])
        #expect(try read(Self.request).unrecognisedFields.isEmpty)
    }

    @Test(
        "A request for another app or environment, or one that is none, is refused",
        arguments: [
            (":42,", ":43,", SignedDataError.Code.appMismatch), (":42,", ":null,", .appMismatch),
            ("Production", "Sandbox", .environmentMismatch),
            ("Production", "Moon", .environmentMismatch), (#""7""#, "null", .malformedPayload),
            (#""pro""#, "[]", .malformedPayload),
            ("C0FFEE00-", "", .malformedPayload), ("1700000000000", "null", .malformedPayload),
        ])
    func refused(original: String, replaced: String, code expected: SignedDataError.Code) {
        let payload = Self.request.replacing(original, with: replaced)
        #expect(payload != Self.request)
        #expect(code { () throws(SignedDataError) in try read(payload) } == expected)
    }

    @Test("In the sandbox, too, it has to be the app's, because no bundle id says whose it is")
    func sandbox() throws {
        let payload = Self.request.replacing("Production", with: "Sandbox")
        #expect(try read(payload, environment: .sandbox).originalTransactionID == "7")
        #expect(code { () throws(SignedDataError) in try read(payload, appAppleID: 43, environment: .sandbox) } == .appMismatch)
        #expect(code { () throws(SignedDataError) in try read(payload, appAppleID: nil, environment: .sandbox) } == .appMismatch)
    }

    @Test(
        "A request of another time is refused; five minutes are let pass",
        arguments: [
            (300_000, nil), (-300_000, nil), (300_001, SignedDataError.Code.staleRequest), (-300_001, .staleRequest),
            (86_400_000, .staleRequest),
        ] as [(Int64, SignedDataError.Code?)])
    func stale(milliseconds: Int64, expected: SignedDataError.Code?) {
        #expect(
            code { () throws(SignedDataError) in try read(Self.request, at: Self.now.advanced(by: milliseconds)) } == expected)
    }

    private static let message = UUID(uuidString: "0B8E4C5A-2F0B-4E0E-9E59-1F2C3D4E5F60")!
    private static let spelt = "0b8e4c5a-2f0b-4e0e-9e59-1f2c3d4e5f60"

    @Test("Answers are the JSON that Apple documents")
    func answers() {
        func text(_ answer: RetentionAnswer) -> String { String(decoding: answer.bytes, as: UTF8.self) }
        let id = #""messageIdentifier":"\#(Self.spelt)""#
        #expect(text(.message(Self.message)) == #"{"message":{\#(id)}}"#)
        #expect(
            text(.alternateProduct(message: Self.message, productID: #"a"b"#))
                == #"{"alternateProduct":{\#(id),"productId":"a\"b"}}"#)
        #expect(
            text(.promotionalOffer(message: Self.message, signature: .v2("a.b.c")))
                == #"{"promotionalOffer":{\#(id),"promotionalOfferSignatureV2":"a.b.c"}}"#)
        func v1(_ token: UUID?) -> String {
            text(
                .promotionalOffer(
                    message: Self.message,
                    signature: .v1(
                        RetentionAnswer.PayloadSignature(
                            der: [1, 2, 3, 4], productID: "p", offerID: "o", keyID: "k", nonce: Self.message, timestamp: 5,
                            appAccountToken: token))))
        }
        let signature =
            #""encodedSignature":"AQIDBA==","productId":"p","nonce":"\#(Self.spelt)","timestamp":5,"keyId":"k","offerIdentifier":"o""#
        #expect(v1(nil) == #"{"promotionalOffer":{\#(id),"promotionalOfferSignatureV1":{\#(signature)}}}"#)
        #expect(
            v1(Self.message)
                == #"{"promotionalOffer":{\#(id),"promotionalOfferSignatureV1":{\#(signature),"appAccountToken":"\#(Self.spelt)"}}}"#
        )
    }
}
