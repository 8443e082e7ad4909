/// The version of the program (SemVer 2.0).
enum ProgramVersion {
    static let current = "0.1.0"
}
