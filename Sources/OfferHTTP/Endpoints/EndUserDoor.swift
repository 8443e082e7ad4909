package import OfferService

/// The access of customers without a backend in between.
package struct EndUserDoor: Sendable {
    let directory: EndUserDirectory
    /// The rate limit of each customer.
    let rateLimit: RateLimit

    package init(directory: EndUserDirectory, rateLimit: RateLimit) {
        self.directory = directory
        self.rateLimit = rateLimit
    }
}
