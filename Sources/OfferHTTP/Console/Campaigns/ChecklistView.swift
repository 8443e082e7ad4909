/// The checks before a campaign goes live, for the template `checklist`.
struct ChecklistView: TemplateView {
    let checkTitle: String
    /// The number of checks that are done.
    let checkCount: String
    let checks: [CheckView]

    init(title: String, _ checks: [CheckView]) {
        checkTitle = title
        checkCount = "\(checks.count { $0.tone == "good" }) of \(checks.count) done"
        self.checks = checks
    }
}
