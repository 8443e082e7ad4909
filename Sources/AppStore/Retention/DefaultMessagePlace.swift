/// The product and the locale for which Retention Messaging has a default message.
package struct DefaultMessagePlace: Equatable, Sendable {
    let productID: String
    let locale: String

    /// - Parameter locale: one of the App Store's short codes, as in `en-US`. It is case-sensitive.
    package init(productID: String, locale: String) {
        self.productID = productID
        self.locale = locale
    }
}
