import EligibilityRules

/// The inputs for a date and a time in the reader's time zone.
struct MomentView: TemplateView {
    let id: String
    let label: String
    let date: String
    let time: String
    /// The type of the input for the date: `date` or `text`.
    let dateType: String
    let timeType: String
    /// The input accepts times that are a multiple of this number of seconds.
    let step: String
    let isLocked: Bool
    let error: String?
    let hint: RichText
    /// The choice between two instants, if clocks show the entered time twice because they are set back; otherwise nil.
    let repeats: ChoiceList?

    /// - Parameters:
    ///   - id: `from` for the start, or `until` for the end.
    ///   - lock: why the inputs cannot be changed; empty if they can.
    ///   - empty: the text that says what empty inputs mean.
    init(
        id: String,
        label: String,
        fields: MomentFields,
        lock: String,
        empty: String,
        errors: FormErrors,
        visit: CampaignVisit
    ) {
        let isEnd = id == "until"
        let all = fields.instants(in: visit.zone, isEnd: isEnd)
        // An input of the type `date` cannot show an invalid date, but a text input can.
        let isPlain = fields.date.isEmpty || all != nil
        let instant = fields.instant(in: visit.zone, isEnd: isEnd)
        self.id = id
        self.label = label
        date = fields.date
        time = fields.time
        dateType = isPlain ? "date" : "text"
        timeType = isPlain ? "time" : "text"
        step = fields.time.contains(".") ? "0.001" : fields.time.utf8.count > 5 ? "1" : "60"
        isLocked = !lock.isEmpty
        error = errors[id].nonEmpty
        let reason = lock.isEmpty ? "" : "\(lock) "
        hint = "\(reason)\(visit.zone.label). \(instant.map { "In UTC: \(visit.time.live($0))" } ?? RichText(empty))"
        repeats = Self.repeats(all ?? [], fields.which, visit.time)
    }

    private static func repeats(_ instants: [Instant], _ which: String, _ time: ConsoleTime) -> ChoiceList? {
        guard instants.count > 1 else { return nil }
        let choices = instants.enumerated().map {
            (id: "\($0)", label: "\($0 == 0 ? "first" : "second"), \(time.plain($1)) UTC")
        }
        return ChoiceList([(id: "", label: "Which of the two?")] + choices, chosen: which)
    }
}
