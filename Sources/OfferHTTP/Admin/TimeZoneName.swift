import Glibc

/// Names of time zones.
enum TimeZoneName {
    private static let database = "/usr/share/zoneinfo/"

    /// Whether it is one of the IANA time zone database, as far as this machine has that; else whether it has the form of one.
    static func isKnown(_ name: String) -> Bool {
        guard name == "UTC" || name.wholeMatch(of: /[A-Z][A-Za-z_]+(\/[A-Z][A-Za-z0-9_+-]+){1,2}/) != nil else { return false }
        return access(database, R_OK) != 0 || access(database + name, R_OK) == 0
    }
}
