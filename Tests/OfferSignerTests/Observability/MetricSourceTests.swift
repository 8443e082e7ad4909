import Testing

@testable import OfferHTTP
@testable import OfferService
@testable import OfferSigner

@Suite("Metric sources")
struct MetricSourceTests {
    @Test("Every metric is named with its help and type, also before it has a value")
    func help() async {
        let registry = PrometheusRegistry()
        let lines = Set(await registry.text().split(separator: "\n").map(String.init))
        for metric in MetricDescription.all {
            #expect(lines.contains("# HELP \(metric.name) \(metric.help)"))
            #expect(lines.contains("# TYPE \(metric.name) \(metric.kind.rawValue)"))
        }
        #expect(lines.count == 2 * MetricDescription.all.count)
    }

    @Test("What the service counts has a description, of the same type")
    func described() {
        let registry = PrometheusRegistry()
        _ = ServiceMetrics(registry)
        #expect(registry.undescribed == [])
        _ = registry.counter("offersigner_forgotten_total")
        _ = registry.gauge("offersigner_http_requests_total")
        #expect(registry.undescribed == ["offersigner_forgotten_total", "offersigner_http_requests_total"])
    }

    @Test("A round that has not ended well yet counts from the start, and only those that take place are reported")
    func rounds() throws {
        let times = RoundTimes([.catchUp(app: "a")], system: .live)
        let sample = try #require(times.samples().first)
        #expect(times.samples().count == 1)
        #expect((sample.name, sample.labels) == ("offersigner_catch_up_age_seconds", [MetricSample.Label("app", "a")]))
        #expect((0..<10).contains(sample.value))
    }

    @Test("What a source says is the type that its description names")
    func sourceTypes() async {
        let registry = PrometheusRegistry()
        registry.add(ProcessMetrics())
        let lines = await registry.text().split(separator: "\n")
        #expect(lines.contains("# TYPE process_cpu_seconds_total counter"))
        #expect(lines.filter { $0.hasPrefix("process_") }.count == 6)
    }
}
