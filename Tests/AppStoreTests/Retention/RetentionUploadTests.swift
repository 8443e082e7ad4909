import AppStoreTesting
import EligibilityRules
import FoundationEssentials
import Testing

@testable import AppStore

@Suite("Setting Retention Messaging up")
struct RetentionUploadTests {
    private typealias Reply = AppStoreStub.Reply

    private static let id = UUID(uuidString: "0B8E4C5A-2F0B-4E0E-9E59-1F2C3D4E5F60")!
    private static let spelt = "0b8e4c5a-2f0b-4e0e-9e59-1f2c3d4e5f60"

    private func api(_ production: AppStoreStub, _ sandbox: AppStoreStub) -> ServerAPI {
        ServerAPI(
            endpoints: AppStoreEndpoints.Pair(production: production.baseURL, sandbox: sandbox.baseURL),
            transport: .toStub(), policy: CallPolicy(), system: ManualTime().system, release: ReleaseInMemory(),
            token: { "token" })
    }

    /// A PNG without a picture: what its head says is all that is looked at.
    private func png(_ width: UInt32, _ height: UInt32, colour: UInt8 = 2, between: String? = nil) -> [UInt8] {
        func bytes(_ number: UInt32) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) } }
        func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
            bytes(UInt32(content.count)) + Array(name.utf8) + content + [0, 0, 0, 0]
        }
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            + chunk("IHDR", bytes(width) + bytes(height) + [8, colour, 0, 0, 0])
            + (between.map { chunk($0, [1, 2, 3]) } ?? []) + chunk("IDAT", [1]) + chunk("IEND", [])
    }

    @Test("A picture of the right size without transparency is taken")
    func goodImages() throws {
        for height: UInt32 in [160, 1000, 2160] { _ = try RetentionImage(png: png(3840, height)) }
        for colour: UInt8 in [0, 2, 3] { _ = try RetentionImage(png: png(3840, 160, colour: colour, between: "PLTE")) }
        _ = try RetentionImage(png: png(1024, 1024), size: .bulletPoint)
    }

    @Test("Any other picture is refused before it is sent, and the reason says what it has")
    func badImages() {
        func reason(_ png: [UInt8], _ size: RetentionImage.Size = .full) -> String? {
            do throws(RetentionFault) { _ = try RetentionImage(png: png, size: size) } catch { return error.description }
            return nil
        }
        #expect(reason(png(3840, 2161))?.contains("3840 × 2161") == true)
        #expect(reason(png(3840, 159))?.contains("3840 × 159") == true)
        #expect(reason(png(1024, 1024))?.contains("1024 × 1024") == true)
        #expect(reason(png(3840, 160), .bulletPoint)?.contains("3840 × 160") == true)
        for colour: UInt8 in [4, 6] { #expect(reason(png(3840, 160, colour: colour))?.contains("alpha") == true) }
        #expect(reason(png(3840, 160, between: "tRNS"))?.contains("transparent") == true)
        for bytes in [[], [0xFF, 0xD8, 0xFF], Array(png(3840, 160).prefix(30)), Array(png(3840, 160).prefix(40))] {
            #expect(reason(bytes)?.contains("not a PNG") == true)
        }
    }

    @Test("Texts up to Apple's limits are taken, longer and empty ones are refused")
    func texts() throws {
        func reason(_ header: Int, _ body: Int, alt: Int? = nil, letter: String = "x") -> String? {
            func text(_ count: Int) -> String { String(repeating: letter, count: count) }
            do throws(RetentionFault) {
                let image = alt.map { RetentionMessage.Image(identifier: Self.id, altText: text($0)) }
                _ = try RetentionMessage(header: text(header), body: text(body), image: image)
            } catch { return error.description }
            return nil
        }
        #expect(reason(66, 144) == nil && reason(1, 1, alt: 150) == nil && reason(66, 144, letter: "é") == nil)
        #expect(reason(67, 1)?.contains("header has 67") == true && reason(1, 145)?.contains("body has 145") == true)
        #expect(reason(1, 1, alt: 151)?.contains("151") == true && reason(34, 1, letter: "🙂")?.contains("68") == true)
        #expect(reason(0, 1)?.contains("header is empty") == true && reason(1, 0) != nil && reason(1, 1, alt: 0) != nil)
    }

    @Test("Every call goes to the path that Apple documents, in the environment that is named")
    func calls() async throws {
        let image = try RetentionImage(png: png(3840, 160))
        let bullet = try RetentionImage(png: png(1024, 1024), size: .bulletPoint)
        let message = try RetentionMessage(
            header: "Stay", body: "\"Please\"", image: RetentionMessage.Image(identifier: Self.id, altText: "a cat"))
        let place = DefaultMessagePlace(productID: "a/b", locale: "en-US")
        try await AppStoreStub.serve([Reply(status: 200)]) { production, sandbox in
            let api = api(production, sandbox)
            try await api.upload(image, as: Self.id, in: .production)
            try await api.upload(bullet, as: Self.id, in: .production)
            try await api.upload(message, as: Self.id, in: .production)
            try await api.deleteRetentionImage(Self.id, in: .production)
            try await api.deleteRetentionMessage(Self.id, in: .production)
            try await api.setDefaultMessage(Self.id, for: place, in: .production)
            try await api.deleteDefaultMessage(for: place, in: .production)
            try await api.setRealtimeURL("https://x.example", in: .production)
            try await api.deleteRealtimeURL(in: .production)
            #expect(sandbox.requests.isEmpty)
            let root = "/inApps/v1/messaging"
            #expect(
                production.requests.map { "\($0.method) \($0.uri)" } == [
                    "PUT \(root)/image/\(Self.spelt)", "PUT \(root)/image/\(Self.spelt)?imageSize=BULLET_POINT",
                    "PUT \(root)/message/\(Self.spelt)", "DELETE \(root)/image/\(Self.spelt)",
                    "DELETE \(root)/message/\(Self.spelt)", "PUT \(root)/default/a%2Fb/en-US",
                    "DELETE \(root)/default/a%2Fb/en-US",
                    "PUT \(root)/realtime/url", "DELETE \(root)/realtime/url",
                ])
            #expect(
                production.requests.map { $0.headers["content-type"] }.prefix(3) == [
                    "image/png", "image/png", "application/json",
                ])
            #expect(
                production.requests[2].body
                    == #"{"header":"Stay","body":"\"Please\"","image":{"imageIdentifier":"\#(Self.spelt)","altText":"a cat"}}"#)
            #expect(production.requests[5].body == #"{"messageIdentifier":"\#(Self.spelt)"}"#)
            #expect(production.requests[7].body == #"{"realtimeURL":"https://x.example"}"#)
        }
    }

    @Test("Lists, the URL and the default message are read; what is not there is nil")
    func reading() async throws {
        let replies: [Reply] = [
            .json(#"{"imageIdentifiers":[{"imageIdentifier":"1","imageState":"APPROVED","imageSize":"FULL_SIZE"},{}]}"#),
            .json(#"{"messageIdentifiers":[{"messageIdentifier":"2","messageState":"MARVELLOUS"}]}"#),
            .json(#"{"realtimeURL":"https://x.example"}"#), .error(404, 4_040_021), .json(#"{"messageIdentifier":"3"}"#),
            .error(404, 4_040_020), .error(404, 4_040_003),
        ]
        try await AppStoreStub.serve([Reply(status: 599)], replies) { production, sandbox in
            let api = api(production, sandbox)
            let place = DefaultMessagePlace(productID: "p", locale: "de-DE")
            let images = try await api.retentionImages(in: .sandbox)
            #expect(images == [RetentionUpload(identifier: "1", state: "APPROVED", size: "FULL_SIZE")])
            let messages = try await api.retentionMessages(in: .sandbox)
            #expect(messages == [RetentionUpload(identifier: "2", state: "MARVELLOUS", size: nil)])
            let urls = [try await api.realtimeURL(in: .sandbox), try await api.realtimeURL(in: .sandbox)]
            #expect(urls == ["https://x.example", nil])
            let defaults = [
                try await api.defaultMessage(for: place, in: .sandbox), try await api.defaultMessage(for: place, in: .sandbox),
            ]
            #expect(defaults == ["3", nil])
            await #expect(throws: AppStoreError(.notFound, "")) { try await api.realtimeURL(in: .sandbox) }
        }
    }

    @Test("A performance test runs in the sandbox; its result is read with whatever reasons Apple gives")
    func performanceTest() async throws {
        let terms =
            #""config":{"maxConcurrentRequests":10,"totalRequests":100,"totalDuration":60000,"responseTimeThreshold":700,"successRateThreshold":95}"#
        let replies: [Reply] = [
            .json(#"{"requestId":"r/1",\#(terms)}"#),
            .json(
                #"{\#(terms),"target":"https://x.example","result":"PASS","successRate":99,"numPending":0,"responseTimes":{"p95":80,"average":20},"failures":{"TIMED_OUT":1}}"#
            ),
            .json("{}"),
        ]
        try await AppStoreStub.serve([Reply(status: 599)], replies) { production, sandbox in
            let api = api(production, sandbox)
            let test = try await api.startPerformanceTest(originalTransactionID: "7")
            #expect(test.requestID == "r/1" && test.terms.totalRequests == 100 && test.terms.responseTimeThreshold == 700)
            let result = try await api.performanceTestResult("r/1")
            #expect(result.verdict == "PASS" && result.successRate == 99 && result.pending == 0 && result.terms == test.terms)
            #expect(result.responseTimes.elementsEqual([("average", 20), ("p95", 80)], by: ==))
            #expect(result.failures.elementsEqual([("TIMED_OUT", 1)], by: ==))
            await #expect(throws: AppStoreError(.malformedAnswer, "")) { try await api.performanceTestResult("r") }
            #expect(
                sandbox.requests.map { "\($0.method) \($0.uri)" }.prefix(2) == [
                    "POST /inApps/v1/messaging/performanceTest", "GET /inApps/v1/messaging/performanceTest/result/r%2F1",
                ])
            #expect(sandbox.requests[0].body == #"{"originalTransactionId":"7"}"#)
        }
    }

    @Test("A refusal with a code of its own is no question of who asks, and says in Apple's words what it is")
    func refusals() async throws {
        let replies: [Reply] = [.error(403, 4_030_017), Reply(status: 403), .error(409, 4_090_001)]
        try await AppStoreStub.serve([Reply(status: 599)], replies) { production, sandbox in
            func error() async -> AppStoreError? {
                do throws(AppStoreError) {
                    try await api(production, sandbox).deleteRetentionMessage(Self.id, in: .sandbox)
                } catch { return error }
                return nil
            }
            let refusal = await error()
            #expect(refusal?.code == .rejected && refusal?.appleCode == 4_030_017 && refusal?.appleMessage == "no")
            #expect(await error()?.code == .unauthorized)
            #expect(await error()?.appleCode == 4_090_001)
        }
        #expect(RetentionErrorCode.advice(4_030_017)?.contains("not approved") == true)
        #expect(RetentionErrorCode.advice(4_999_999) == nil)
    }
}
