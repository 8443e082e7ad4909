/// Which app an operation is about. Declared with each; there is no default.
enum AppScope: Sendable {
    /// None: the operation gets no app.
    case none
    /// The one that the request names, or else the only one that the caller may use.
    case named
    /// The one in the path, whoever asks: its requests prove themselves.
    case inPath

    var isInPath: Bool { self == .inPath }
}
