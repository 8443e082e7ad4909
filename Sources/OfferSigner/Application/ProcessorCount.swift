/// How many cores this process may use, its affinity considered.
enum ProcessorCount {
    static let usable: Int = {
        // Glibc's call for it is hidden from Swift; the kernel tells the same as a hexadecimal mask.
        let status = (try? TextFile.read("/proc/self/status")) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("Cpus_allowed:") }
        let digits = line?.dropFirst("Cpus_allowed:".count).compactMap(\.hexDigitValue) ?? []
        return max(1, digits.reduce(0) { $0 + $1.nonzeroBitCount })
    }()
}
