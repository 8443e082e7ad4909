/// What a page shows, or a part of a page that a script replaces.
protocol PageView: TemplateView {
    /// The name of its template, which is that of a file.
    static var template: String { get }
}
