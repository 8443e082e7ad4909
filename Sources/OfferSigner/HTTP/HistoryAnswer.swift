import NIOHTTP1
import OfferSigning

/// The JSON of answers about what was taken in.
enum HistoryAnswer {
    /// `{"accepted","unchanged","rejected":[…]}`.
    static func report(_ report: HistoryReport) -> Answer {
        var text: [UInt8] = []
        JSONText.append(raw: #"{"accepted":"#, to: &text)
        JSONText.append(Int64(report.accepted), to: &text)
        JSONText.append(raw: #","unchanged":"#, to: &text)
        JSONText.append(Int64(report.unchanged), to: &text)
        JSONText.append(raw: #","rejected":["#, to: &text)
        for (index, rejection) in report.rejected.enumerated() {
            JSONText.append(raw: index == 0 ? #"{"index":"# : #",{"index":"#, to: &text)
            JSONText.append(Int64(rejection.index), to: &text)
            JSONText.append(raw: #","code":"#, to: &text)
            JSONText.append(rejection.code, to: &text)
            JSONText.append(raw: #","field":"#, to: &text)
            JSONText.append(rejection.field, to: &text)
            JSONText.append(raw: #","detail":"#, to: &text)
            JSONText.append(rejection.detail, to: &text)
            JSONText.append(raw: "}", to: &text)
        }
        JSONText.append(raw: "]}", to: &text)
        return Answer(status: .ok, body: text)
    }

    /// `{"status":…}`.
    static func status(_ status: String) -> Answer {
        var text: [UInt8] = []
        JSONText.append(raw: #"{"status":"#, to: &text)
        JSONText.append(status, to: &text)
        JSONText.append(raw: "}", to: &text)
        return Answer(status: .ok, body: text)
    }
}
