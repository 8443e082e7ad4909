import OfferService

extension RoundTimes: MetricSource {
    func samples() -> [MetricSample] {
        ages.map { round, seconds in
            switch round {
            case .renewalPoll: MetricSample(name: "offersigner_renewal_poll_age_seconds", value: seconds)
            case .receiptPoll: MetricSample(name: "offersigner_receipt_poll_age_seconds", value: seconds)
            case .catchUp(let app):
                MetricSample(
                    name: "offersigner_catch_up_age_seconds", labels: [MetricSample.Label("app", app)], value: seconds)
            }
        }
    }
}
