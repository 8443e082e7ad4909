import Glibc

/// How large the files of the store are.
struct StoreMetrics: MetricSource {
    let signatures: String
    let histories: String

    func samples() -> [MetricSample] {
        [("signatures", signatures), ("histories", histories)].flatMap { file, path in
            [("main", path), ("wal", "\(path)-wal")].compactMap { part, path in
                var status = stat()
                guard stat(path, &status) == 0 else { return nil }
                return MetricSample(
                    name: "offersigner_store_bytes",
                    labels: [MetricSample.Label("file", file), MetricSample.Label("part", part)],
                    value: Double(status.st_size))
            }
        }
    }
}
