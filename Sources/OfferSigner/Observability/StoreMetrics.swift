import OfferSigning

/// How large the files of the store are.
struct StoreMetrics: MetricSource {
    let signatures: String
    let histories: String

    func samples() -> [MetricSample] {
        [("signatures", signatures), ("histories", histories)].flatMap { file, path in
            [("main", path), ("wal", "\(path)-wal")].compactMap { part, path in
                FileStatus(path: path).map { status in
                    MetricSample(
                        name: "offersigner_store_bytes",
                        labels: [MetricSample.Label("file", file), MetricSample.Label("part", part)],
                        value: Double(status.size))
                }
            }
        }
    }
}
