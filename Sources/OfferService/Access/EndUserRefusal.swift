/// Something that an end user asks for and that only a backend may.
package struct EndUserRefusal: Error, Equatable {
    /// What, and what to do instead.
    package let detail: String

    /// A field that could name somebody else.
    static func naming(_ field: String) -> EndUserRefusal {
        EndUserRefusal(
            detail: "\(field) may name somebody else, and a token says who asks: leave it out; "
                + "signedTransactions show what its user has bought")
    }

    /// Granting what the App Store would refuse.
    static let override = EndUserRefusal(
        detail: "allow: true grants what the App Store would refuse, and nobody may grant it to themselves: ask by your backend")
}
