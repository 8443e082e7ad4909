/// How many testers have seen a variant, in all environments together.
public struct RehearsalCount: Equatable, Sendable {
    /// The variant's id.
    public let variant: String
    /// The number of testers who have seen the variant.
    public let exposed: Int
    /// The number of signatures that testers received for the variant's offers.
    public let signed: Int

    /// Stores the given values without checking them.
    public init(variant: String, exposed: Int, signed: Int) {
        self.variant = variant
        self.exposed = exposed
        self.signed = signed
    }
}
