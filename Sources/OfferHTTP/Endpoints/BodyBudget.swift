import Synchronization

/// The memory that all request bodies have together, from their arrival to the answer.
final class BodyBudget: Sendable {
    /// Bytes of each body that are not counted: small requests cost nothing here, and go on when the rest is used up.
    static let free = 4096
    // Whoever has no access key gets a part of it, so that the rest is left for those who have one.
    private static let strangersPart = 4

    private let limit: Int
    private let taken = Atomic(0)
    private let takenByStrangers = Atomic(0)

    /// - Parameter limit: bytes.
    init(limit: Int) { self.limit = limit }

    /// Takes bytes; false, and nothing taken, if there are not so many left.
    func take(_ bytes: Int, isStranger: Bool) -> Bool {
        if isStranger, takenByStrangers.add(bytes, ordering: .relaxed).newValue > limit / BodyBudget.strangersPart {
            takenByStrangers.subtract(bytes, ordering: .relaxed)
            return false
        }
        guard taken.add(bytes, ordering: .relaxed).newValue <= limit else {
            give(bytes, isStranger: isStranger)
            return false
        }
        return true
    }

    /// Gives bytes back.
    func give(_ bytes: Int, isStranger: Bool) {
        taken.subtract(bytes, ordering: .relaxed)
        if isStranger { takenByStrangers.subtract(bytes, ordering: .relaxed) }
    }
}
