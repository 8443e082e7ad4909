/// An action that an end user asks for, and that only a backend may perform.
package struct EndUserRefusal: Error, Equatable {
    /// The action, and what to do instead.
    package let detail: String

    /// A field that could name another customer.
    static func naming(_ field: String) -> EndUserRefusal {
        EndUserRefusal(
            detail: "\(field) may name somebody else, and a token says who asks: leave it out; "
                + "signedTransactions show what its user has bought")
    }

    /// A signature based on Sandbox purchases, which cost nothing: it would be valid in Production, too.
    static let sandbox = EndUserRefusal(
        detail:
            "environment: Sandbox is not signed for beside Production, where the signature would be good as well: ask by your backend"
    )

    /// A grant of what the App Store would refuse.
    static let override = EndUserRefusal(
        detail: "allow: true grants what the App Store would refuse, and nobody may grant it to themselves: ask by your backend")
}
