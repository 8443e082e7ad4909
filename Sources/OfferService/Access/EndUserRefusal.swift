/// An action that an end user asks for, and that only a backend may perform.
package struct EndUserRefusal: Error, Equatable {
    /// The action that is refused, and what to do instead.
    package let detail: String

    /// Refuses a field with which an end user could name another customer.
    static func naming(_ field: String) -> EndUserRefusal {
        EndUserRefusal(
            detail: "\(field) may name another customer than the token; leave it out: "
                + "signedTransactions show what the token's user has bought")
    }

    /// Refuses a signature for the Sandbox beside Production.
    ///
    /// Sandbox purchases cost nothing, and a signature that was made because of them would be valid in Production as well.
    static let sandbox = EndUserRefusal(
        detail:
            "a token cannot sign for the Sandbox beside Production, where the signature would be valid too; ask through your backend"
    )

    /// Refuses an override with `allow: true`, which would give a customer an introductory offer that the App Store would refuse.
    static let override = EndUserRefusal(
        detail:
            "allow: true grants what the App Store would refuse, and end users may not grant it themselves; ask through your backend"
    )
}
