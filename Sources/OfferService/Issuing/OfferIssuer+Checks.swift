import EligibilityRules
import OfferStore

extension OfferIssuer {
    /// Fails unless the app has what the request is about: products, offers, and an issuer id for JWS.
    func check(_ request: SignatureRequest, of app: App, for caller: Caller) throws {
        try checkGrants(of: request, for: caller) { app }
        guard caller.endUser == nil || app.beside != .sandbox else { throw EndUserRefusal.sandbox }
        for item in request.items { try checkCatalogue(item, of: app) }
        // Told to everybody, not to the first customer only who is eligible.
        if request.form == .jws, app.issuerID == nil { throw AppError.issuerIDMissing(app.bundleID) }
    }

    /// Fails if the request grants an introductory offer and the caller may not: as a whole, whatever else it asks for.
    ///
    /// - Parameter app: that of the request; asked for only where it matters.
    package func checkGrants(of request: SignatureRequest, for caller: Caller, app: () throws -> App) throws {
        guard request.items.contains(where: \.purpose.isGrant), !caller.role.may(.override) else { return }
        // Whatever the app allows its clients: they were trusted to be no customers.
        guard caller.endUser == nil else { throw EndUserRefusal.override }
        guard try app().introductoryOverrides == .client, caller.role == .client else {
            throw IssueError.overrideNotAllowed(caller.role)
        }
    }

    private func checkCatalogue(_ item: SignatureRequest.Item, of app: App) throws {
        if item.purpose == .campaignOffer, item.productID.isEmpty { return }
        guard let product = app.catalogue.product(item.productID) else { throw AppError.unknownProduct(item.productID) }
        if case .promotionalOffer(let offerID) = item.purpose,
            product.promotionalOffers.index(forKey: ExactText(offerID)) == nil
        {
            throw IssueError.unknownOffer(productID: item.productID, offerID: offerID)
        }
    }
}
