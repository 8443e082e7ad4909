/// The description of a metric for Prometheus.
struct MetricDescription: Sendable {
    /// The types of Prometheus that are used here.
    enum Kind: String, Sendable {
        case counter, gauge, histogram
    }

    let name: String
    let kind: Kind
    /// The description in one line.
    let help: String

    init(_ name: String, _ kind: Kind, _ help: String) {
        self.name = name
        self.kind = kind
        self.help = help
    }
}

extension MetricDescription {
    /// Every metric of the service, by name. The table in docs/operations.md has the same texts.
    static let all: [MetricDescription] = [
        MetricDescription(
            "offersigner_app_active_key", .gauge, "1 if an active key is loaded for the app, 0 if nothing can be signed for it"),
        MetricDescription(
            "offersigner_app_keys_locked", .gauge,
            "1 if no key may sign for the app: the decisions about its keys differ from the audit log, or its key from the recorded one"
        ),
        MetricDescription("offersigner_build_info", .gauge, "1, with the version of the program"),
        MetricDescription(
            "offersigner_catch_up_age_seconds", .gauge,
            "time since the App Store's list of missed notifications was last read to its end; before the first time since the start"
        ),
        MetricDescription(
            "offersigner_campaign_assignments_total", .counter,
            "how often campaigns have taken customers, the same ones again included, by variant; holdout: they count and get nothing"
        ),
        MetricDescription(
            "offersigner_campaigns", .gauge,
            "campaigns within their schedule (live), campaigns that are paused, and live ones that cannot be served"),
        MetricDescription(
            "offersigner_catalogue_group_differences_total", .counter,
            "products that the App Store has in another subscription group than the catalogue"),
        MetricDescription(
            "offersigner_console_proxy_headers_refused_total", .counter,
            "headers of the sign-in proxy that did not count: from elsewhere, unusable, or of an unknown person"),
        MetricDescription(
            "offersigner_end_user_keys", .gauge,
            "public keys in force for end users' tokens, by their issuer; 0: all of its tokens are refused"),
        MetricDescription(
            "offersigner_end_user_keys_age_seconds", .gauge,
            "time since the keys for end users' tokens could last be read, by their issuer"),
        MetricDescription(
            "offersigner_end_user_tokens_refused_total", .counter, "tokens of end users that were refused, by the reason"),
        MetricDescription(
            "offersigner_event_attempts_total", .counter,
            "attempts to deliver events: delivered, answered otherwise, or unanswered"),
        MetricDescription(
            "offersigner_event_endpoint_disabled", .gauge, "1 while the endpoint receives no events, because it has answered 410"),
        MetricDescription(
            "offersigner_events_pending", .gauge, "events that are not delivered yet; the count may be some seconds old"),
        MetricDescription(
            "offersigner_events_pending_age_seconds", .gauge, "time since the oldest pending event took place; 0: none is pending"
        ),
        MetricDescription(
            "offersigner_failures_total", .counter,
            "failures of the store, the keys, the clock, the App Store, the issuers of tokens and the service itself"),
        MetricDescription(
            "offersigner_http_accept_failures_total", .counter,
            "how often connections had to wait for 200 ms before they were accepted, for want of descriptors or memory"),
        MetricDescription("offersigner_http_connections", .gauge, "connections that are open"),
        MetricDescription(
            "offersigner_http_connections_refused_total", .counter,
            "connections that were closed at once, by the limit that they were over: total or address"),
        MetricDescription("offersigner_http_request_seconds", .histogram, "time from the head of a request to its answer"),
        MetricDescription("offersigner_http_requests_total", .counter, "requests that were answered"),
        MetricDescription(
            "offersigner_key_file_timestamp_seconds", .gauge, "when the key's file was last changed; Apple's keys do not expire"),
        MetricDescription(
            "offersigner_key_module_available", .gauge,
            "1 if the hardware module that holds the key signs, 0 if it is away; of such keys only"),
        MetricDescription("offersigner_key_state", .gauge, "1, with the state of a loaded key"),
        MetricDescription("offersigner_keys_loaded_timestamp_seconds", .gauge, "when the keys in use were loaded"),
        MetricDescription(
            "offersigner_key_file_faults", .gauge, "files of the key folder that cannot be used; `/readyz` and the log say why"),
        MetricDescription(
            "offersigner_ready", .gauge, "1 if the check of `/readyz` passes, 0 if it fails or takes longer than two seconds"),
        MetricDescription("offersigner_replicas", .gauge, "processes that serve the store, this one among them"),
        MetricDescription(
            "offersigner_replicas_different", .gauge,
            "replicas that differ from most, by what is different: `version`, `configuration`, `keys` or `clock`"),
        MetricDescription("offersigner_ledger_batch_submissions", .histogram, "requests that shared one commit of the ledger"),
        MetricDescription(
            "offersigner_ledger_checkpoint_failures_total", .counter, "checkpoints that failed: the `-wal` file goes on growing"),
        MetricDescription(
            "offersigner_ledger_checkpoint_seconds", .histogram, "for how long a checkpoint kept the ledger from writing"),
        MetricDescription("offersigner_ledger_commit_failures_total", .counter, "batches that could not be written"),
        MetricDescription("offersigner_ledger_commit_seconds", .histogram, "time of a commit, from its begin to durable"),
        MetricDescription("offersigner_ledger_queue_depth", .gauge, "requests that wait for the next commit"),
        MetricDescription(
            "offersigner_receipt_poll_age_seconds", .gauge,
            "time since a round of polling with receipts in which the App Store answered every question; before the first since the start"
        ),
        MetricDescription(
            "offersigner_receipt_secret_refused", .gauge,
            "1 while verifyReceipt refuses the app's shared secret (status 21004), 0 otherwise; of apps polled with receipts"
        ),
        MetricDescription(
            "offersigner_receipts", .gauge,
            "receipts that are kept, by the outcome of their last poll: a reason, or ok; the count may be a minute old"
        ),
        MetricDescription(
            "offersigner_receipts_unreadable", .gauge,
            "kept receipts whose secret is not in the key folder; counted at the start and when the secrets change"),
        MetricDescription(
            "offersigner_refund_requests_total", .counter,
            "refund requests of the App Store that were settled: answered, dry-run, unanswered, refused or expired"),
        MetricDescription(
            "offersigner_renewal_poll_age_seconds", .gauge,
            "time since a round of polling in which the App Store answered every question; before the first since the start"),
        MetricDescription(
            "offersigner_retention_answers_total", .counter,
            "what the App Store was answered when it asked in real time: an offer, a product, a message, nothing (its own is shown), or the "
                + "default because something failed or was late"),
        MetricDescription(
            "offersigner_signatures_against_advice_total", .counter,
            "signatures under eligibility: advise that enforce would have refused, by the first reason"),
        MetricDescription(
            "offersigner_signatures_total", .counter,
            "signatures (signed), overrides that were not needed (not-needed), and refusals by their code, which have no key"),
        MetricDescription("offersigner_store_bytes", .gauge, "size of the store's files; main is the file itself, wal its log"),
        MetricDescription(
            "offersigner_tls_certificate_expiry_timestamp_seconds", .gauge,
            "when the first certificate of the chain that is served expires; only where the service ends TLS itself"),
        MetricDescription(
            "offersigner_tls_file_faults", .gauge,
            "1 while the TLS files as they are now cannot be used and what was read before stays in force"),
        MetricDescription(
            "offersigner_unrecognised_values_total", .counter,
            "values of the App Store's that this version does not know, by Apple's name of the field"),
        MetricDescription("process_cpu_seconds_total", .counter, "processor time of the process, in user and system mode"),
        MetricDescription("process_max_fds", .gauge, "descriptors that the process may have open"),
        MetricDescription("process_open_fds", .gauge, "descriptors that the process has open"),
        MetricDescription("process_resident_memory_bytes", .gauge, "memory of the process that is in RAM"),
        MetricDescription("process_start_time_seconds", .gauge, "when the process was started"),
        MetricDescription("process_virtual_memory_bytes", .gauge, "address space of the process"),
    ]
}
