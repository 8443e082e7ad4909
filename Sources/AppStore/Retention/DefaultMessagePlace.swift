/// What a default message of Retention Messaging is for.
package struct DefaultMessagePlace: Equatable, Sendable {
    let productID: String
    let locale: String

    /// - Parameter locale: one of the App Store's short codes, as in `en-US`; capitals matter.
    package init(productID: String, locale: String) {
        self.productID = productID
        self.locale = locale
    }
}
