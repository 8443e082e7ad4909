import Testing

@testable import OfferHTTP

@Suite("The chart of differences by day")
struct BandChartTests {
    @Test(
        "Labels at the end are never on one another, and never outside",
        arguments: [[0], [100], [50, 50, 50], [98, 99, 99, 100, 100], [0, 0, 1, 99, 100]] as [[Double]])
    func labels(places: [Double]) {
        let labels = BandChart.apart(places)
        #expect(labels.count == places.count && labels.allSatisfy { (6.5...93.5).contains($0) })
        #expect(zip(labels, labels.dropFirst()).allSatisfy { $1 - $0 >= 13 - 1e-9 })
    }
}
