import Logging
import OfferHTTP
import WireText

/// Writes the messages of swift-log as lines of JSON, to the same log as the request lines.
///
/// Warnings and errors are written at any level, because an operator who turns off the request lines must still learn of a
/// failing store.
struct JSONLogHandler: LogHandler {
    var metadata: Logger.Metadata = [:]
    private let label: String
    private let level: LogLevel
    private let sink: LogSink
    private var ownLevel: Logger.Level?

    init(label: String, level: LogLevel, sink: LogSink) {
        self.label = label
        self.level = level
        self.sink = sink
    }

    /// The level of the service, unless a logger has its own.
    var logLevel: Logger.Level {
        get { min(ownLevel ?? level.current, .warning) }
        set { ownLevel = newValue }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let all = metadata.merging(event.metadata ?? [:]) { _, new in new }
        sink.line { json in
            json.append(raw: #""level":"#)
            json.append(event.level.rawValue)
            json.append(raw: #","logger":"#)
            json.append(label)
            json.append(raw: #","message":"#)
            json.append("\(event.message)")
            for (name, value) in all.sorted(by: { $0.key < $1.key }) {
                json.append(raw: ",")
                json.append(name)
                json.append(raw: ":")
                json.append("\(value)")
            }
            json.append(raw: "}")
        }
    }
}
