import Foundation
import SwiftUI

@main
struct OfferApp: App {
    /// `demo-session` is the word that the example backend takes. Give the session of your own sign-in.
    private let shop = Shop(
        backend: Backend(baseURL: URL(string: "http://127.0.0.1:8081")!, session: { "demo-session" }),
        productIds: ["com.example.pro.monthly"])

    var body: some Scene {
        WindowGroup {
            PaywallView(shop: shop).task { await shop.watch() }
        }
    }
}
