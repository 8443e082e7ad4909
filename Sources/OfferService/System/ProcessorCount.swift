import FoundationEssentials

/// The number of cores that this process may use.
package enum ProcessorCount {
    /// The number of cores that the process may use by its affinity and by the quota of its control group.
    package static let usable: Int = {
        // Swift cannot call glibc's function for this. The kernel reports the same as a mask in hexadecimal digits.
        let status = text(of: "/proc/self/status") ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("Cpus_allowed:") }
        let digits = line?.dropFirst("Cpus_allowed:".count).compactMap(\.hexDigitValue) ?? []
        let affinity = digits.reduce(0) { $0 + $1.nonzeroBitCount }
        return max(1, min(affinity, quota ?? affinity))
    }()

    private static func text(of path: String) -> String? {
        (try? Data(contentsOf: URL(filePath: path))).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The number of cores that the limit of a container allows; nil if there is no limit.
    private static var quota: Int? {
        let groups = text(of: "/proc/self/cgroup") ?? ""
        // With control groups of version 2, the line that begins like this ends with the path of the group.
        guard let line = groups.split(separator: "\n").first(where: { $0.hasPrefix("0::") }) else { return nil }
        return text(of: "/sys/fs/cgroup\(line.dropFirst(3))/cpu.max").flatMap(cores(ofQuota:))
    }

    /// The number of cores that `cpu.max` allows, rounded up: nil for `max 100000`, and two for `150000 100000`.
    static func cores(ofQuota text: String) -> Int? {
        let numbers = text.split(whereSeparator: \.isWhitespace).map { Int($0) }
        guard numbers.count == 2, let quota = numbers[0], let period = numbers[1], quota > 0, period > 0 else { return nil }
        return (quota - 1) / period + 1
    }
}
