import NIOHTTP1

/// A problem as a page.
struct ProblemView: PageView {
    static let template = "problem"

    let title: String
    let detail: String
    let consequence: String
    let requestID: String

    init(_ problem: Problem, requestID: String) {
        title = problem.title
        detail = problem.detail.firstUppercased
        consequence =
            problem.status.code >= 500
            ? "Whether something was saved is not certain; look before you try again." : "Nothing was changed."
        self.requestID = requestID
    }
}
