import StoreKit
import SwiftUI

/// One button for each product, with the offer that the user may have.
struct PaywallView: View {
    let shop: Shop

    var body: some View {
        VStack {
            ForEach(shop.products, id: \.id) { product in
                Button(title(of: product)) {
                    Task { await shop.buy(product) }
                }
                .disabled(shop.isBuying)
            }
            if let message = shop.message { Text(message) }
        }
        .task { await shop.load() }
    }

    private func title(of product: Product) -> String {
        guard let offerId = shop.offers[product.id],
            let offer = product.subscription?.promotionalOffers.first(where: { $0.id == offerId })
        else { return "\(product.displayName): \(product.displayPrice)" }
        return "\(product.displayName): \(offer.displayPrice) instead of \(product.displayPrice)"
    }
}
