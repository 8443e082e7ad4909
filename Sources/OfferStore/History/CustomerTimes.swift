package import EligibilityRules

/// What is kept of a customer that does not follow from their subscriptions.
package struct CustomerTimes: Equatable, Sendable {
    /// When a history was last supplied that shows no subscription; nil if none was.
    package let suppliedAt: Instant?
    /// When the whole account was first shown; nil if it never was.
    package let completeAt: Instant?

    /// Takes the values as they are.
    package init(suppliedAt: Instant? = nil, completeAt: Instant? = nil) {
        self.suppliedAt = suppliedAt
        self.completeAt = completeAt
    }

    /// With what came later.
    package func merged(with news: CustomerTimes) -> CustomerTimes {
        CustomerTimes(suppliedAt: news.suppliedAt ?? suppliedAt, completeAt: completeAt ?? news.completeAt)
    }

    /// Of two customers who are one: the whole of both was shown, or it is not whole.
    package func joined(with other: CustomerTimes) -> CustomerTimes {
        let complete: Instant? = if let completeAt, let theirs = other.completeAt { max(completeAt, theirs) } else { nil }
        return CustomerTimes(suppliedAt: [suppliedAt, other.suppliedAt].compactMap(\.self).max(), completeAt: complete)
    }
}
