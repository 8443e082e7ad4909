package import OfferService

/// The use cases that take in purchase histories.
package struct HistoryUseCases: Sendable {
    let intake: HistoryIntake
    package let binding: CustomerBinding
    let receipts: ReceiptIntake
    let refresh: HistoryRefresh
    let notifications: NotificationIntake

    package init(
        intake: HistoryIntake,
        binding: CustomerBinding,
        receipts: ReceiptIntake,
        refresh: HistoryRefresh,
        notifications: NotificationIntake
    ) {
        self.intake = intake
        self.binding = binding
        self.receipts = receipts
        self.refresh = refresh
        self.notifications = notifications
    }
}
