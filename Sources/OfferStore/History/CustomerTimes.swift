package import EligibilityRules

/// What is stored of a customer and cannot be derived from the subscriptions.
package struct CustomerTimes: Equatable, Sendable {
    /// When a history without subscriptions was last supplied; nil for never.
    package let suppliedAt: Instant?
    /// When a source first showed the customer's whole Apple account; nil for never.
    package let completeAt: Instant?

    package init(suppliedAt: Instant? = nil, completeAt: Instant? = nil) {
        self.suppliedAt = suppliedAt
        self.completeAt = completeAt
    }

    /// Returns these times updated with later ones.
    package func merged(with news: CustomerTimes) -> CustomerTimes {
        CustomerTimes(suppliedAt: news.suppliedAt ?? suppliedAt, completeAt: completeAt ?? news.completeAt)
    }

    /// Returns the times of two customers that become one. The account is complete only if both were.
    package func joined(with other: CustomerTimes) -> CustomerTimes {
        let complete: Instant? = if let completeAt, let theirs = other.completeAt { max(completeAt, theirs) } else { nil }
        return CustomerTimes(suppliedAt: [suppliedAt, other.suppliedAt].compactMap(\.self).max(), completeAt: complete)
    }
}
