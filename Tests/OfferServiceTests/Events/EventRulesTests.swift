import EligibilityRules
import Foundation
import NIOCore
import Testing

@testable import OfferService

@Suite("The rules of events")
struct EventRulesTests {
    private static let now = Instant(milliseconds: 1_800_000_000_000)

    @Test("Ten attempts take three days, each up to a tenth earlier or later")
    func retries() {
        let seconds: [Int64] = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]
        #expect((1...9).map { EventRetries.wait(after: $0, jitter: 0.5) } == seconds.map { $0 * 1000 })
        #expect(EventRetries.wait(after: 10, jitter: 0.5) == nil)
        #expect(EventRetries.wait(after: 1, jitter: 0) == 4500)
        #expect(EventRetries.wait(after: 1, jitter: 1) == 5500)
    }

    @Test(
        "A status means success, the end, or a failure",
        arguments: [
            (200, .success), (204, .success), (299, .success), (410, .gone),
            (302, .failure("answered 302; redirects are not followed", notBefore: nil)),
            (199, .failure("answered 199", notBefore: nil)), (404, .failure("answered 404", notBefore: nil)),
            (500, .failure("answered 500", notBefore: nil)), (429, .failure("answered 429", notBefore: nil)),
        ] as [(Int, EventAnswer.Meaning)])
    func statuses(status: Int, meaning: EventAnswer.Meaning) {
        #expect(EventAnswer(status: status, retryAfter: nil).meaning(at: Self.now) == meaning)
    }

    @Test(
        "Retry-After of 429 and 503 counts, in seconds or as a date, for a day at most",
        arguments: [
            (429, "120", 120_000), (503, "120", 120_000), (503, "999999999999999999", 86_400_000), (503, "-1", nil),
            (503, "-99999999999999999", nil),
            (503, "0", nil), (500, "120", nil), (503, "Fri, 15 Jan 2027 08:01:00 GMT", 60_000), (503, "soon", nil),
            (503, "Fri, 15 Jan 2027 07:59:00 GMT", nil), (503, "Mon, 15 Jan 2029 08:01:00 GMT", 86_400_000),
            (503, "Fri, 32 Jan 2027 08:01:00 GMT", nil), (503, "", nil),
        ] as [(Int, String, Int64?)])
    func retryAfter(status: Int, text: String, wait: Int64?) {
        let answer = EventAnswer(status: status, retryAfter: text).meaning(at: Self.now)
        #expect(answer == .failure("answered \(status)", notBefore: wait.map(Self.now.advanced)))
    }

    @Test(
        "Public addresses are told from private ones",
        arguments: [
            ("8.8.8.8", true), ("1.1.1.1", true), ("172.32.0.1", true), ("100.128.0.1", true), ("223.255.255.255", true),
            ("0.0.0.0", false), ("10.1.2.3", false), ("100.64.0.1", false), ("127.0.0.1", false), ("127.255.0.1", false),
            ("169.254.169.254", false), ("172.16.0.1", false), ("172.31.255.255", false), ("192.168.1.1", false),
            ("192.0.2.1", false), ("198.18.0.1", false), ("198.19.255.255", false), ("224.0.0.1", false),
            ("239.1.1.1", false), ("240.0.0.1", false), ("255.255.255.255", false),
            ("2606:4700:4700::1111", true), ("2a00:1450::1", true), ("::", false), ("::1", false), ("fe80::1", false),
            ("fc00::1", false), ("fd12::1", false), ("ff02::1", false), ("2001:db8::1", false), ("2001::1", false),
            ("2002:7f00:1::", false), ("::ffff:127.0.0.1", false), ("::ffff:8.8.8.8", true), ("64:ff9b::10.0.0.1", false),
            ("64:ff9b::8.8.8.8", true), ("::127.0.0.1", false), ("3fff::1", false),
        ])
    func addresses(text: String, isPublic: Bool) throws {
        #expect(PublicAddress.contains(try SocketAddress(ipAddress: text, port: 443)) == isPublic)
    }

    @Test("A socket of this machine is not public")
    func socket() throws { #expect(!PublicAddress.contains(try SocketAddress(unixDomainSocketPath: "/tmp/x"))) }

    @Test("Ids of customers are masked at every depth, and nothing else is")
    func mask() {
        let body =
            #"{"type":"offer.signed","data":{"customerId":"customer-1234","offers":[{"offerId":"a","transactionId":"12"}]}}"#
        #expect(
            String(decoding: EventMask.masked(Array(body.utf8)), as: UTF8.self)
                == #"{"type":"offer.signed","data":{"customerId":"…1234","offers":[{"offerId":"a","transactionId":"…"}]}}"#)
    }
}
