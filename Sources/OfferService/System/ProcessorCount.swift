import FoundationEssentials

/// The number of cores that this process may use.
package enum ProcessorCount {
    /// The cores that its affinity and the quota of its control group permit.
    package static let usable: Int = {
        // Glibc's call for it is hidden from Swift; the kernel reports the same as a hexadecimal mask.
        let status = text(of: "/proc/self/status") ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("Cpus_allowed:") }
        let digits = line?.dropFirst("Cpus_allowed:".count).compactMap(\.hexDigitValue) ?? []
        let affinity = digits.reduce(0) { $0 + $1.nonzeroBitCount }
        return max(1, min(affinity, quota ?? affinity))
    }()

    private static func text(of path: String) -> String? {
        (try? Data(contentsOf: URL(filePath: path))).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The cores that a container's limit permits; nil without one.
    private static var quota: Int? {
        let groups = text(of: "/proc/self/cgroup") ?? ""
        // Version 2 of control groups: a line with this beginning ends with the group's path.
        guard let line = groups.split(separator: "\n").first(where: { $0.hasPrefix("0::") }) else { return nil }
        return text(of: "/sys/fs/cgroup\(line.dropFirst(3))/cpu.max").flatMap(cores(ofQuota:))
    }

    /// The cores that `cpu.max` grants, rounded up: nil for `max 100000`, two for `150000 100000`.
    static func cores(ofQuota text: String) -> Int? {
        let numbers = text.split(whereSeparator: \.isWhitespace).map { Int($0) }
        guard numbers.count == 2, let quota = numbers[0], let period = numbers[1], quota > 0, period > 0 else { return nil }
        return (quota - 1) / period + 1
    }
}
