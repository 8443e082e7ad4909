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
        sink.line { line in
            JSONText.append(raw: #""level":"#, to: &line)
            JSONText.append(event.level.rawValue, to: &line)
            JSONText.append(raw: #","logger":"#, to: &line)
            JSONText.append(label, to: &line)
            JSONText.append(raw: #","message":"#, to: &line)
            JSONText.append("\(event.message)", to: &line)
            for (name, value) in all.sorted(by: { $0.key < $1.key }) {
                JSONText.append(raw: ",", to: &line)
                JSONText.append(name, to: &line)
                JSONText.append(raw: ":", to: &line)
                JSONText.append("\(value)", to: &line)
            }
            JSONText.append(raw: "}", to: &line)
        }
    }
}
