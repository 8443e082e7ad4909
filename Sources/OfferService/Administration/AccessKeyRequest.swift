package import EligibilityRules
import FoundationEssentials

/// The properties of an access key to be made.
package struct AccessKeyRequest: Sendable {
    /// The values that `expiresAt` may have, in ms since 1970.
    ///
    /// The last one is at the end of 9999, the last year that ISO 8601 writes with four digits.
    package static let ends: ClosedRange<Int> = 0...253_402_300_799_999
    /// September 2001, 10¹² ms after 1970. An earlier value was probably given in seconds instead of ms.
    private static let first = Instant(milliseconds: 1_000_000_000_000)

    package let role: Role
    /// Bundle ids; nil for every app, including those that are configured later.
    package let apps: [String]?
    /// What the key is for, in the words of the person who makes it. Lists of keys show it beside the key's id.
    ///
    /// Nil if a script at the command line gives none.
    package let note: String?
    /// The IANA name of the time zone in which the key's holder reads times; nil for UTC.
    package let timeZone: String?
    /// When the key expires; nil if it never does.
    package let expiresAt: Instant?

    package init(role: Role, apps: [String]?, note: String?, timeZone: String? = nil, expiresAt: Instant? = nil) {
        self.role = role
        self.apps = apps
        self.note = note
        self.timeZone = timeZone
        self.expiresAt = expiresAt
    }

    /// The faults of the fields, which are named as in the API.
    package func faults(at now: Instant) -> [FieldFault] {
        var faults: [FieldFault] = []
        func refuse(_ name: String, _ reason: String) { faults.append(FieldFault(name: name, reason: reason)) }
        if let note {
            if note.allSatisfy(\.isWhitespace) { refuse("note", "is empty: say what the key is for, people know it by this") }
            if let fault = TextLimit.accessNote.fault(of: note) { faults.append(fault) }
        }
        if let timeZone, TimeZone(iana: timeZone) == nil {
            refuse("timeZone", "must be an IANA time zone, such as Europe/Berlin")
        }
        if let end = expiresAt, end <= now {
            let remedy = end < Self.first ? "; give milliseconds since 1970, not seconds" : ""
            refuse("expiresAt", "\(end.iso8601) has passed\(remedy)")
        } else if let end = expiresAt, end.milliseconds > Self.ends.upperBound {
            refuse("expiresAt", "must be before the year 10000; leave it out for a key that never expires")
        }
        return faults
    }
}

extension TimeZone {
    /// Creates the time zone with this name in the IANA time zone database, such as `Europe/Berlin`.
    ///
    /// Nil for any other name that Foundation accepts, such as `GMT+5`.
    package init?(iana name: String) {
        guard name == "UTC" || name.wholeMatch(of: /[A-Z][A-Za-z_]+(\/[A-Z][A-Za-z0-9_+-]+){1,2}/) != nil else { return nil }
        self.init(identifier: name)
    }
}
