import Foundation
import OfferSigning
import Testing
import WireText

@testable import OfferService
@testable import OfferSigner

@Suite("Observability")
struct ObservabilityTests {
    @Test("Metrics come out as Prometheus text")
    func prometheus() async {
        let registry = PrometheusRegistry()
        let counter = registry.counter("requests_total", "route")
        counter.of("/a\"b\\").increment(by: 2)
        counter.of("/a\"b\\").increment()
        let timer = registry.histogram("seconds", bounds: PrometheusHistogram.durations).of()
        timer.record(nanoseconds: 200_000)
        timer.record(nanoseconds: 20_000_000_000)
        let lines = await registry.text().split(separator: "\n").map(String.init)
        #expect(lines.contains("# TYPE requests_total counter"))
        #expect(lines.contains(#"requests_total{route="/a\"b\\"} 3"#))
        #expect(lines.contains(#"seconds_bucket{le="0.0001"} 0"#))
        #expect(lines.contains(#"seconds_bucket{le="0.00025"} 1"#))
        #expect(lines.contains(#"seconds_bucket{le="5.0"} 1"#))
        #expect(lines.contains(#"seconds_bucket{le="+Inf"} 2"#))
        #expect(lines.contains("seconds_count 2"))
    }

    @Test("Every log line arrives whole, in order and as JSON")
    func logSink() throws {
        let pipe = Pipe()
        let sink = LogSink(descriptor: pipe.fileHandleForWriting.fileDescriptor)
        for number in 0..<500 { sink.line { $0.append(unquoted: #""number":\#(number)}"#) } }
        sink.flush()
        try pipe.fileHandleForWriting.close()
        let lines = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self).split(separator: "\n")
        #expect(lines.count == 500)
        for (number, line) in lines.enumerated() {
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            #expect(object?["number"] as? Int == number)
            #expect((object?["time"] as? String)?.hasSuffix("Z") == true)
        }
    }

    @Test("Of sampled requests one in a hundred has its lines, and every refusal")
    func sampledOffers() {
        let lines = OfferLines(.sampled)
        let ids = (0..<20_000).map { "request-\($0)" }
        let chosen = ids.filter(lines.admitGrants)
        // 200 are expected; a fair choice leaves these bounds once in 10¹¹ runs.
        #expect((100...300).contains(chosen.count))
        #expect(chosen.allSatisfy(lines.admitGrants) && lines.admitRefusals)
        lines.change(to: .full)
        #expect(ids.allSatisfy(lines.admitGrants) && lines.admitRefusals)
        lines.change(to: .off)
        #expect(!ids.contains(where: lines.admitGrants) && !lines.admitRefusals)
    }
}
