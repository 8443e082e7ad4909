/// A campaign's wish to hold the unit that it takes. It does from now on, unless another one of the exclusion group does.
public struct ExposureHold: Hashable, Sendable {
    /// The campaign's exclusion group.
    public let group: String
    /// An ended campaign of the group that holds the unit and can be replaced.
    public let replacing: String?

    /// Takes the values as they are.
    public init(group: String, replacing: String? = nil) {
        self.group = group
        self.replacing = replacing
    }
}
