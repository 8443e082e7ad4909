import EligibilityRules

/// A local date and time of the form.
struct MomentView: TemplateView {
    let id: String
    let label: String
    let date: String
    let time: String
    /// The types of the inputs.
    let dateType: String
    let timeType: String
    /// The seconds between two times that the input accepts.
    let step: String
    let isLocked: Bool
    let error: String?
    let hint: RichText
    /// The choice where clocks show the same time twice.
    let repeats: ChoiceList?

    /// Creates the view of a moment.
    ///
    /// - Parameters:
    ///   - id: `from` or `until`.
    ///   - lock: why the moment cannot be changed; empty if it can.
    ///   - empty: the meaning of empty inputs.
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
        // Only a plain text input can show an invalid date.
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
