import Glibc

/// CPU time of all threads of this process.
enum CPUTime {
    /// In seconds.
    static var user: Double { seconds(usage().ru_utime) }
    /// In seconds, with that of the system.
    static var total: Double { seconds(usage().ru_utime) + seconds(usage().ru_stime) }
    /// In seconds, to the nanosecond: for readings that are shorter than a tick.
    static var precise: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private static func usage() -> rusage {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return usage
    }

    private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
}
