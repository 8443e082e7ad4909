import AppStore
import WireText

/// The uploads, as a terminal shows them.
enum RetentionUploadText {
    static func report(_ uploads: [RetentionUpload], json: Bool) {
        if json { return print(Self.json(uploads)) }
        if uploads.isEmpty { StandardError.note("there is none") }
        for each in uploads { print(([each.identifier, each.state] + (each.size.map { [$0] } ?? [])).joined(separator: "  ")) }
    }

    private static func json(_ uploads: [RetentionUpload]) -> String {
        let bytes = JSONWriter.bytes { json in
            json.append(raw: #"{"items":["#)
            for (index, each) in uploads.enumerated() {
                json.append(raw: index == 0 ? #"{"id":"# : #",{"id":"#)
                json.append(each.identifier)
                json.append(raw: #","state":"#)
                json.append(each.state)
                if let size = each.size {
                    json.append(raw: #","size":"#)
                    json.append(size)
                }
                json.append(raw: "}")
            }
            json.append(raw: "]}")
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
