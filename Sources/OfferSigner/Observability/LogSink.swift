import Dispatch
import EligibilityRules
import Glibc
import OfferService
import Synchronization
import WireText

/// The destination of log lines: a buffer in memory that one thread empties into a file descriptor.
///
/// A caller appends and continues; it never waits for a terminal, a pipe or a disk. If the reader of the log stops reading, lines
/// are lost and counted, but no signature is delayed.
final class LogSink: Sendable {
    private struct State {
        var buffer: [UInt8] = []
        /// An empty buffer that keeps its memory. It takes turns with `buffer`.
        var spare: [UInt8] = []
        var isScheduled = false
        var dropped = 0
        var second: Int64 = -1
        var time: [UInt8] = []
    }

    private static let capacity = 16 << 20
    /// The largest buffer, in bytes, that is kept for the next turn.
    private static let maxSpare = 1 << 20
    private static let delay = DispatchTimeInterval.milliseconds(10)

    private let descriptor: Int32
    private let queue = DispatchQueue(label: "log")
    private let state = Mutex(State())

    init(descriptor: Int32) { self.descriptor = descriptor }

    static let standardOutput = LogSink(descriptor: 1)

    /// Appends one line: `{"time":"…",` and what `body` adds to it, which ends with `}`.
    func line(_ body: (inout JSONWriter) -> Void) { lines(1) { body(&$1) } }

    /// Appends `count` lines, without other lines in between. `body` receives the index of each line.
    func lines(_ count: Int, _ body: (Int, inout JSONWriter) -> Void) {
        let mustStart = state.withLock { state in
            guard state.buffer.count < LogSink.capacity else {
                state.dropped += count
                return false
            }
            let time = LogSink.time(&state)
            JSONWriter.append(to: &state.buffer) { json in
                for index in 0..<count {
                    json.append(json: time)
                    body(index, &json)
                    json.append(raw: "\n")
                }
            }
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        // A short wait gathers the lines of many requests into one write.
        if mustStart { queue.asyncAfter(deadline: .now() + LogSink.delay) { self.drain() } }
    }

    /// Writes everything out now, or as much as the reader of the log takes within two seconds.
    func flush() {
        let done = DispatchSemaphore(value: 0)
        queue.async {
            self.drain()
            done.signal()
        }
        _ = done.wait(timeout: .now() + 2)
    }

    /// Writes out the present lines. Lines that are appended meanwhile are written in a turn of their own.
    private func drain() {
        var (bytes, dropped) = state.withLock { state in
            let taken = (state.buffer, state.dropped)
            state.buffer = state.spare
            state.spare = []
            state.dropped = 0
            state.isScheduled = false
            return taken
        }
        if dropped > 0 {
            bytes += #"{"level":"warning","message":"log lines dropped","count":\#(dropped)}"#.utf8
            bytes.append(0x0A)
        }
        write(bytes)
        guard bytes.capacity <= LogSink.maxSpare else { return }
        bytes.removeAll(keepingCapacity: true)
        state.withLock { [bytes] in $0.spare = bytes }
    }

    private func write(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Glibc.write(descriptor, rest.base.baseAddress! + rest.startIndex, rest.count)
                if count > 0 {
                    rest = rest.dropFirst(count)
                } else if errno == EAGAIN {
                    var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    poll(&wait, 1, 1000)
                } else if errno != EINTR {
                    let lost = rest.count { $0 == 0x0A }
                    return state.withLock { $0.dropped += lost }
                }
            }
        }
    }

    /// Returns the start of a line: RFC 3339 with milliseconds. The part down to the second is made once a second.
    private static func time(_ state: inout State) -> [UInt8] {
        let (second, milliseconds) = SystemEnvironment.live.now().milliseconds.quotientAndRemainder(dividingBy: 1000)
        if second != state.second {
            state.second = second
            state.time = CalendarText.bytes(second: second, format: "{\"time\":\"%Y-%m-%dT%H:%M:%S.000Z\",")
        }
        var rest = milliseconds
        // The three digits of the milliseconds stand before `Z",`.
        for index in (state.time.count - 6..<state.time.count - 3).reversed() {
            state.time[index] = 0x30 + UInt8(rest % 10)
            rest /= 10
        }
        return state.time
    }
}
