import EligibilityRules
import FoundationEssentials
import Glibc
import OfferService

/// Reports the kernel's data about this process, under Prometheus' usual names.
struct ProcessMetrics: MetricSource {
    // Indexes of fields in /proc/self/stat. They are counted after the program's name, because it may contain spaces.
    private static let startField = 19
    private static let virtualSizeField = 20
    private static let residentPagesField = 21

    func samples() -> [MetricSample] {
        var samples: [MetricSample] = []
        var usage = rusage()
        if getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 {
            let seconds = ProcessMetrics.seconds(usage.ru_utime) + ProcessMetrics.seconds(usage.ru_stime)
            samples.append(MetricSample(name: "process_cpu_seconds_total", value: seconds))
        }
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
            samples.append(MetricSample(name: "process_max_fds", value: Double(limit.rlim_cur)))
        }
        if let open = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
            // One of them was opened by this listing itself, so it does not count.
            samples.append(MetricSample(name: "process_open_fds", value: Double(open.count - 1)))
        }
        return samples + ProcessMetrics.fromStatus()
    }

    private static func fromStatus() -> [MetricSample] {
        guard let line = try? TextFile.read("/proc/self/stat"), let name = line.lastIndex(of: ")") else { return [] }
        let fields = line[name...].split(separator: " ").dropFirst().map { Double($0) ?? 0 }
        guard fields.count > residentPagesField else { return [] }
        var samples = [
            MetricSample(name: "process_resident_memory_bytes", value: fields[residentPagesField] * Double(getpagesize())),
            MetricSample(name: "process_virtual_memory_bytes", value: fields[virtualSizeField]),
        ]
        let start = bootTime + fields[startField] / Double(sysconf(Int32(_SC_CLK_TCK)))
        samples.append(MetricSample(name: "process_start_time_seconds", value: start))
        return samples
    }

    /// The time of boot in seconds since 1970, by the clock at the first use.
    ///
    /// It is computed once, so that the reported start does not change when the clock is set. It is not read from /proc/stat,
    /// because a systemd unit may hide that file.
    private static let bootTime =
        Double(SystemEnvironment.live.now().milliseconds - SystemEnvironment.live.uptime()) / 1000

    private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
}
