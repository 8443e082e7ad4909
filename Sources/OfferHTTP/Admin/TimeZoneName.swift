import Glibc

/// Names of time zones.
enum TimeZoneName {
    private static let database = "/usr/share/zoneinfo/"

    /// Whether a name is in this machine's IANA time zone database; without a database, whether it has the right form.
    static func isKnown(_ name: String) -> Bool {
        guard name == "UTC" || name.wholeMatch(of: /[A-Z][A-Za-z_]+(\/[A-Z][A-Za-z0-9_+-]+){1,2}/) != nil else { return false }
        return access(database, R_OK) != 0 || access(database + name, R_OK) == 0
    }
}
