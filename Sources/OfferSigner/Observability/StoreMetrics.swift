import OfferSigning

/// The sizes of the store's files.
struct StoreMetrics: MetricSource {
    let files: StoreFiles

    func samples() -> [MetricSample] {
        [("signatures", files.signatures), ("histories", files.histories)].flatMap { file, path in
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
