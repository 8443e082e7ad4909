import NIOHTTP1
import OfferService
import WireText

/// The JSON of answers to requests that supply purchases or bindings.
enum HistoryJSON {
    /// Returns `{"accepted","unchanged","rejected":[…]}`.
    static func report(_ report: HistoryReport) -> Answer {
        let text = JSONWriter.bytes { json in
            json.append(raw: #"{"accepted":"#)
            json.append(Int64(report.accepted))
            json.append(raw: #","unchanged":"#)
            json.append(Int64(report.unchanged))
            json.append(raw: #","rejected":["#)
            for (index, rejection) in report.rejected.enumerated() {
                json.append(raw: index == 0 ? #"{"index":"# : #",{"index":"#)
                json.append(Int64(rejection.index))
                json.append(raw: #","code":"#)
                json.append(rejection.code)
                json.append(raw: #","field":"#)
                json.append(rejection.field)
                json.append(raw: #","detail":"#)
                json.append(rejection.detail)
                json.append(raw: "}")
            }
            json.append(raw: "]")
            if let unanswered = report.verifyReceipt {
                json.append(raw: #","verifyReceipt":{"code":"#)
                json.append(unanswered.code)
                json.append(raw: #","detail":"#)
                json.append(unanswered.detail)
                json.append(raw: "}")
            }
            json.append(raw: "}")
        }
        return Answer(status: .ok, body: text)
    }

    /// Returns the status of a binding, and whether the customer's token was written to the App Store.
    static func binding(_ status: BindingStatus, _ written: TokenWriteBack.Outcome?) -> Answer {
        let text = JSONWriter.bytes { json in
            json.append(raw: #"{"status":"#)
            json.append(status.rawValue)
            switch written {
            case nil: break
            case .written: json.append(raw: #","appAccountToken":"written""#)
            case .notWritten(let reason):
                json.append(raw: #","appAccountToken":"not-written","reason":"#)
                json.append(reason)
            }
            json.append(raw: "}")
        }
        return Answer(status: .ok, body: text)
    }

    /// Returns `{"status":…}`.
    static func status(_ status: String) -> Answer {
        let text = JSONWriter.bytes { json in
            json.append(raw: #"{"status":"#)
            json.append(status)
            json.append(raw: "}")
        }
        return Answer(status: .ok, body: text)
    }
}
