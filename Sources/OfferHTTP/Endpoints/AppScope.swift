/// The app that an operation is about. Each operation declares it; there is no default.
enum AppScope: Sendable {
    /// None: the operation gets no app.
    case none
    /// The app that the request names, or else the only one that the caller may use.
    case named
    /// The app in the path, for any caller: such requests prove themselves.
    case inPath

    var isInPath: Bool { self == .inPath }
}
