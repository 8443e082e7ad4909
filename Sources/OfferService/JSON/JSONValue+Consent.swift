package import OfferStore
package import WireText

extension JSONValue {
    /// Whether a customer lets the App Store have consumption information.
    package static func of(_ consent: ConsumptionConsent) -> JSONValue {
        .members(["consented": .bool(consent.isGiven), "statedAt": .instant(consent.statedAt)])
    }
}
