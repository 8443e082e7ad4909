package import OfferService

/// How customers come in who ask without a backend in between.
package struct EndUserDoor: Sendable {
    let directory: EndUserDirectory
    /// What each of them may ask.
    let rateLimit: RateLimit

    /// Takes the values as they are.
    package init(directory: EndUserDirectory, rateLimit: RateLimit) {
        self.directory = directory
        self.rateLimit = rateLimit
    }
}
