import EligibilityRules
import OfferStore
import WireText

extension SignatureTurn {
    /// Throws unless the app has what the request asks for: products, offers, and an issuer id for a JWS.
    ///
    /// - Returns: the offer of the first item; nil if that item names none. Most requests need no further look-up of an offer.
    func check() throws -> LimitedOffer? {
        guard caller.endUser == nil || app.additionalEnvironment != .sandbox else { throw EndUserRefusal.sandbox }
        var first: LimitedOffer?
        for (index, item) in request.items.enumerated() {
            let offer = try offer(of: item)
            if index == 0 { first = offer }
        }
        // This is checked now, so that a client learns of the missing id at once, and not only when a customer is eligible.
        if request.form == .jws, app.credentials.issuerID == nil { throw AppError.issuerIDMissing(app.bundleID) }
        return first
    }

    /// Throws unless the catalogue has what an item is about. Returns the promotional offer; nil if the item is about another
    /// thing.
    private func offer(of item: SignatureRequest.Item) throws -> LimitedOffer? {
        if case .promotionalOffer(let offerID) = item.purpose {
            if let offer = app.limitedOffers[LimitedOffer.Key(item.productID, offerID)] { return offer }
            let known = try app.catalogue.knownProduct(item.productID).promotionalOffers.keys.lazy.map(\.string)
            throw IssueError.unknownOffer(
                productID: item.productID, offerID: offerID, near: NearNames.suggestion(for: offerID, among: known))
        }
        if item.purpose == .campaignOffer, item.productID.isEmpty { return nil }
        _ = try app.catalogue.knownProduct(item.productID)
        return nil
    }
}

extension SignatureRequest {
    /// Throws if the request grants an introductory offer although the caller may not grant one.
    ///
    /// In this case the whole request fails.
    func checkGrants(for caller: Caller, of app: App) throws {
        guard items.contains(where: \.purpose.isGrant), !caller.role.may(.override) else { return }
        // An app may trust its clients with grants, but not its end users.
        guard caller.endUser == nil else { throw EndUserRefusal.override }
        guard app.rules.introductoryOverrides == .client, caller.role == .client else {
            throw IssueError.overrideNotAllowed(caller.role)
        }
    }
}
