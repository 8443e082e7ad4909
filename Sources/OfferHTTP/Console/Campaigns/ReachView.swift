import EligibilityRules
import OfferService
import WireText

/// The number of stored customers in an audience, for its template.
struct ReachView {
    let finding: ReachPanel.Finding
    let form: CampaignForm
    let app: App
    let time: ConsoleTime
    /// The address that the editor's form is sent to.
    let action: String
    /// Whether the saved campaign is counted, because the form cannot be edited.
    let isClosed: Bool
    /// The campaign whose draft can be tried on the customers found; nil: it is not created yet.
    var campaign: String?

    /// The values for the template.
    var values: [String: Any] {
        var values: [String: Any] = [
            "reachAction": action, "isReachClosed": isClosed, "isReachIdle": false, "counted": false, "progress": false,
            "refused": false, "reachButton": "Count again",
        ]
        switch finding {
        case .nothing:
            values["isReachIdle"] = true
            values["reachButton"] = "Count them"
        case .counting(let progress):
            values["reachButton"] = "See how far it is"
            values["progress"] = [
                "text": progress.total.map {
                    "\(ConsoleTime.number(progress.done)) of \(ConsoleTime.number($0)) customers looked at"
                } ?? "Waiting for its turn", "width": ConsoleTime.percent(progress.done, of: max(1, progress.total ?? 0)),
            ]
        case .counted(let count, let funnel, let instant): values["counted"] = counted(count, funnel, instant)
        case .refused(let texts): values["refused"] = ["texts": texts]
        }
        return values
    }

    private func counted(_ count: AudienceCount, _ funnel: AudienceFunnel, _ instant: Instant) -> [String: Any] {
        [
            "isAtMost": !funnel.attributes.isEmpty, "matching": ConsoleTime.number(count.matching),
            "customers": ConsoleTime.count(count.customers, "customer"),
            "share": Self.share(count.matching, of: count.customers),
            "attributes": funnel.attributes.isEmpty
                ? false as Any : "Only your app knows \(Self.words(funnel.attributes)), so at most this many fit.",
            "letIn": letIn(count.matching), "asOf": time.at(instant),
            "unreadable": count.unreadable == 0
                ? false as Any : "The purchases of \(ConsoleTime.count(count.unreadable, "customer")) cannot be read.",
            "funnel": funnel.stages.isEmpty
                ? false as Any
                : [
                    "stages": funnel.stages.enumerated().map { index, stage in
                        [
                            "text": words(stage), "left": ConsoleTime.number(count.passed[index + 1]),
                            "width": ConsoleTime.percent(count.passed[index + 1], of: max(1, count.customers)),
                        ]
                    }
                ] as [String: Any],
            "lists": lists(count, funnel),
        ]
    }

    private func words(_ stage: AudienceFunnel.Stage) -> String {
        let text = ConditionText.words(stage.condition.withKnownGroups(in: app.catalogue))
        return text.prefix(1).uppercased() + text.dropFirst()
    }

    /// Returns the number that is left after hold-out and enrolment, in words.
    private func letIn(_ matching: Int) -> Any {
        let points = { (text: String) in DecimalShift.text(text.trimmed, by: 2).flatMap { Int($0) } }
        let (holdout, enrolment) = (points(form.holdout) ?? 0, points(form.enrolment) ?? Bucket.count)
        guard holdout > 0 || enrolment < Bucket.count, (0...Bucket.count).contains(holdout), enrolment >= 0 else { return false }
        let left = Double(matching) * Double(Bucket.count - holdout) / 10_000 * Double(enrolment) / 10_000
        let steps =
            (holdout > 0 ? ["\(SplitBar.percent(holdout)) held out"] : [])
            + (enrolment < Bucket.count ? ["\(SplitBar.percent(enrolment)) let in"] : [])
        return "With \(steps.joined(separator: " and ")): about \(ConsoleTime.number(Int(left.rounded())))."
    }

    private func lists(_ count: AudienceCount, _ funnel: AudienceFunnel) -> [[String: Any]] {
        func list(_ title: String, _ customers: [AudienceCount.Sampled]) -> [String: Any] {
            [
                "title": title,
                "customers": customers.map { customer -> [String: Any] in
                    let held = Set(customer.obstacles)
                    return [
                        "id": customer.customerID, "href": trial(customer.customerID),
                        "reasons": customer.reasons.enumerated().map { index, reason in
                            ["tone": held.contains(index) ? "bad" : "good", "text": reason]
                        },
                    ]
                },
            ]
        }
        let all = [
            (count.sample, "\(ConsoleTime.number(count.sample.count)) of them, and why"),
            (count.misses, "\(ConsoleTime.number(count.misses.count)) who just miss, and why"),
        ]
        return all.filter { !$0.0.isEmpty }.map { list($0.1, $0.0) }
    }

    private func trial(_ id: String) -> String {
        "/console/apps/\(PercentEncoding.encoded(app.bundleID))/try?id=\(PercentEncoding.encoded(id))"
            + (campaign.map { "&with=\(PercentEncoding.encoded($0))" } ?? "")
    }

    private static func words(_ names: [String]) -> String {
        names.count < 2 ? names.joined() : "\(names.dropLast().joined(separator: ", ")) and \(names.last!)"
    }

    /// Returns a share, which is never rounded down to zero.
    private static func share(_ part: Int, of whole: Int) -> String {
        part > 0 && part * 1000 < whole ? "under 0.1\u{a0}%" : ConsoleTime.share(part, of: whole)
    }
}
