import NIOHTTP1
package import OfferService

/// The operations of the API that are answered on the connection's event loop, with the use cases that do their work.
package struct API: Sendable {
    /// The endpoints, one for each path.
    let endpoints: [any Endpoint]

    /// Creates the API from the use cases that do its work.
    package init(
        nonces: NonceDesk,
        clock: SigningClock,
        issuer: OfferIssuer,
        examination: SignatureExamination,
        inquiry: EligibilityInquiry,
        offers: OfferInquiry,
        histories: HistoryUseCases,
        retention: RetentionDesk
    ) {
        let signing = SigningExchange(issuer: issuer)
        endpoints = [
            LivenessController(),
            NonceController(nonces: nonces, clock: clock),
            SignatureController(signing: signing),
            IntroductoryOfferController(signing: signing),
            VerifyController(examination: examination),
            EligibilityController(inquiry: inquiry),
            OffersController(inquiry: offers),
            TransactionsController(intake: histories.intake),
            ReceiptsController(receipts: histories.receipts),
            RefreshController(refresh: histories.refresh),
            BindingController(binding: histories.binding),
            NotificationController(intake: histories.notifications),
            RetentionController(desk: retention),
        ]
    }
}

/// `GET /livez`: whether the process answers.
///
/// The answer depends on nothing but the event loop of the connection.
struct LivenessController: Endpoint {
    let operation = Operation.getLiveness
    let app = AppScope.none
    let dependsOnStore = false

    func respond(to exchange: Exchange) {
        exchange.reply(.success(Answer(status: .ok, body: Array(#"{"alive":true}"#.utf8))))
    }
}
