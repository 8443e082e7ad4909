import Foundation

extension TimeZone {
    /// Creates the zone of a name in the IANA time zone database, such as `Europe/Berlin`. Other names that Foundation takes, such as
    /// `GMT+5`, are refused.
    init?(iana name: String) {
        guard name == "UTC" || name.wholeMatch(of: /[A-Z][A-Za-z_]+(\/[A-Z][A-Za-z0-9_+-]+){1,2}/) != nil else { return nil }
        self.init(identifier: name)
    }

    /// The name for people: `Berlin time`.
    var label: String {
        self == .gmt ? "UTC" : "\(identifier.split(separator: "/").last?.replacing("_", with: " ") ?? identifier[...]) time"
    }
}
