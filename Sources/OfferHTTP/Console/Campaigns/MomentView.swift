import EligibilityRules
import WireText

/// A local date and time of the form.
struct MomentView {
    /// `from` or `until`.
    let id: String
    let label: String
    let fields: MomentFields
    /// Why the moment cannot be changed; empty if it can.
    let lock: String
    /// The meaning of empty inputs.
    let empty: String
    let visit: CampaignVisit

    /// Returns the values for the template.
    func values(_ errors: FormErrors) -> [String: Any] {
        let isEnd = id == "until"
        let all = fields.instants(in: visit.zone, isEnd: isEnd)
        let zone = ByteEscaping().escapeText(visit.zone.label)
        // Only a plain text input can show an invalid date.
        let isPlain = fields.date.isEmpty || all != nil
        var hint = lock.isEmpty ? "" : "\(ByteEscaping().escapeText(lock)) "
        hint +=
            fields.instant(in: visit.zone, isEnd: isEnd).map { "\(zone). In UTC: \(visit.time.live($0))" } ?? "\(zone). \(empty)"
        return [
            "id": id, "label": label, "date": fields.date, "time": fields.time, "isLocked": !lock.isEmpty,
            "dateType": isPlain ? "date" : "text", "timeType": isPlain ? "time" : "text",
            "step": fields.time.contains(".") ? "0.001" : fields.time.utf8.count > 5 ? "1" : "60",
            "error": FieldView.optional(errors[id]), "hint": hint, "repeats": repeats(all ?? []),
        ]
    }

    /// Returns the choice where clocks show the same time twice; false otherwise.
    private func repeats(_ instants: [Instant]) -> Any {
        guard instants.count > 1 else { return false }
        let choices = instants.enumerated().map {
            (id: "\($0)", label: "\($0 == 0 ? "first" : "second"), \(visit.time.plain($1)) UTC")
        }
        return [
            "choices": ([(id: "", label: "Which of the two?")] + choices).map {
                ["which": $0.id, "label": $0.label, "isChosen": $0.id == fields.which] as [String: Any]
            }
        ] as [String: Any]
    }
}
