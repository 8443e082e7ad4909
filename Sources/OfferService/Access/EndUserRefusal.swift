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

    /// A signature by what somebody has bought in the Sandbox, where purchases cost nothing: it is good in Production, too.
    static let sandbox = EndUserRefusal(
        detail:
            "environment: Sandbox is not signed for beside Production, where the signature would be good as well: ask by your backend"
    )

    /// Granting what the App Store would refuse.
    static let override = EndUserRefusal(
        detail: "allow: true grants what the App Store would refuse, and nobody may grant it to themselves: ask by your backend")
}
