import OfferService
import OfferSigning
import OfferStore
import WireText

/// The figures of `offersigner receipts`.
struct ReceiptSummary {
    /// A secret, and the number of stored receipts that are encrypted with it.
    struct Secret: Equatable {
        /// The number in the name of the secret's file; nil if the secret is not in the key folder.
        let number: Int?
        let count: Int
    }

    let counts: [ReceiptCount]
    let secrets: [Secret]
    let faults: [String]

    /// - Parameter byPrefix: the number of receipts by the header of their sealed bytes.
    init(counts: [ReceiptCount], byPrefix: [[UInt8]: Int], folder: ReceiptSecretFolder) {
        let (keys, faults) = folder.keys()
        self.counts = counts
        self.faults = faults
        let known = keys.map { Secret(number: $0.number, count: byPrefix[$0.key.header] ?? 0) }
        let unreadable = byPrefix.values.reduce(0, +) - Set(keys.map(\.key.header)).reduce(0) { $0 + (byPrefix[$1] ?? 0) }
        secrets = known + (unreadable > 0 ? [Secret(number: nil, count: unreadable)] : [])
    }

    var text: String {
        guard !counts.isEmpty || !secrets.isEmpty || !faults.isEmpty else { return "no receipt is kept" }
        let kept = counts.map { "\($0.partition.name): \($0.count) \($0.reason ?? "ok")" }
        let sealed = secrets.map { secret in
            secret.number.map { "secret \($0): sealed \(secret.count)" }
                ?? "cannot be read, for want of their secret: \(secret.count)"
        }
        return (kept + sealed + faults.map { "cannot be used: \($0)" }).joined(separator: "\n")
    }

    var json: String {
        String(
            decoding: JSONWriter.bytes { json in
                json.append(raw: #"{"receipts":["#)
                Self.list(counts, &json) { count, json in
                    json.append(raw: #"{"bundleId":"#)
                    json.append(count.partition.name)
                    json.append(raw: #","reason":"#)
                    json.append(count.reason ?? "ok")
                    json.append(raw: #","count":"#)
                    json.append(Int64(count.count))
                    json.append(raw: "}")
                }
                json.append(raw: #"],"secrets":["#)
                Self.list(secrets, &json) { secret, json in
                    json.append(raw: #"{"number":"#)
                    if let number = secret.number { json.append(Int64(number)) } else { json.append(raw: "null") }
                    json.append(raw: #","count":"#)
                    json.append(Int64(secret.count))
                    json.append(raw: "}")
                }
                json.append(raw: #"],"faults":["#)
                Self.list(faults, &json) { fault, json in json.append(fault) }
                json.append(raw: "]}")
            }, as: UTF8.self)
    }

    private static func list<Element>(
        _ elements: [Element],
        _ json: inout JSONWriter,
        _ append: (Element, inout JSONWriter) -> Void
    ) {
        for (index, element) in elements.enumerated() {
            if index > 0 { json.append(raw: ",") }
            append(element, &json)
        }
    }
}
