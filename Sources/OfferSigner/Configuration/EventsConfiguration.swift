import OfferService

/// The events that the company's own systems receive, as configured.
struct EventsConfiguration {
    /// How long deliveries are kept after the last attempt, in ms.
    let keep: Int64
    let endpoints: [EventEndpoint]
}
