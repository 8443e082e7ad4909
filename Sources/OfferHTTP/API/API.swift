package import OfferService

/// The operations of the API, over the use cases behind them.
package struct API: Sendable {
    private let nonces: NonceDesk
    private let clock: SigningClock
    private let signing: SigningExchange
    private let examination: SignatureExamination
    private let inquiry: EligibilityInquiry
    private let offers: OfferInquiry
    private let intake: HistoryIntake
    private let binding: CustomerBinding
    private let receipts: ReceiptIntake
    private let refresh: HistoryRefresh
    private let notifications: NotificationIntake
    private let retention: RetentionDesk

    /// Creates the API over its use cases.
    package init(
        nonces: NonceDesk,
        clock: SigningClock,
        issuer: OfferIssuer,
        examination: SignatureExamination,
        inquiry: EligibilityInquiry,
        offers: OfferInquiry,
        intake: HistoryIntake,
        binding: CustomerBinding,
        receipts: ReceiptIntake,
        refresh: HistoryRefresh,
        notifications: NotificationIntake,
        retention: RetentionDesk
    ) {
        self.nonces = nonces
        self.clock = clock
        signing = SigningExchange(issuer: issuer)
        self.examination = examination
        self.inquiry = inquiry
        self.offers = offers
        self.intake = intake
        self.binding = binding
        self.receipts = receipts
        self.refresh = refresh
        self.notifications = notifications
        self.retention = retention
    }

    /// The endpoints, one for each path.
    var endpoints: [any Endpoint] {
        [
            LivenessController(),
            NonceController(nonces: nonces, clock: clock),
            SignatureController(signing: signing),
            IntroductoryOfferController(signing: signing),
            VerifyController(examination: examination),
            EligibilityController(inquiry: inquiry),
            OffersController(inquiry: offers),
            TransactionsController(intake: intake),
            ReceiptsController(receipts: receipts),
            RefreshController(refresh: refresh),
            BindingController(binding: binding),
            NotificationController(intake: notifications),
            RetentionController(desk: retention),
        ]
    }
}
