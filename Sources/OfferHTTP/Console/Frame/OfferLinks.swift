/// The side bar's part about one app: the page's app, or the only one that the reader may see.
struct OfferLinks {
    /// The page's app, and the others to choose from.
    struct Scope: TemplateView {
        let app: String
        let others: [LinkView]
    }

    /// The path that the pages about the app begin with.
    let path: String
    let scope: Scope?

    /// Creates the links of a page.
    ///
    /// - Parameters:
    ///   - app: the app that the page is about; nil: none.
    ///   - mine: the apps that the reader may see.
    init(at place: ConsolePages.Place, in app: String?, mine: [String]) {
        let path = { (app: String) in "/console/apps/\(PercentEncoding.encoded(app))" }
        self.path = (app ?? (mine.count == 1 ? mine[0] : nil)).map(path) ?? "/console"
        guard let app, mine.count > 1 else {
            scope = nil
            return
        }
        scope = Scope(
            app: app,
            others: mine.filter { $0 != app }.map { LinkView(href: "\(path($0))/\(place.rawValue)", label: $0) })
    }
}
