import Logging
import OfferSigning

/// swift-log's messages as JSON lines, in the same stream as the request lines.
struct JSONLogHandler: LogHandler {
    var logLevel = Logger.Level.info
    var metadata: Logger.Metadata = [:]
    private let label: String
    private let sink: LogSink

    init(label: String, level: Logger.Level, sink: LogSink) {
        self.label = label
        self.sink = sink
        logLevel = level
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
