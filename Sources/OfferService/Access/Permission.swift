/// An action that a role may permit.
package enum Permission: String, CaseIterable, Sendable {
    /// Get nonces and signatures.
    case sign
    /// Submit and fetch purchase history, and bind subscriptions to customers.
    case history
    /// See, export and erase the data about a customer.
    case customers
    /// Have a signature examined.
    case verify
    /// Obtain an introductory offer that the App Store would refuse.
    case override
    /// See and change which key signs.
    case keys
    /// Create and revoke access keys.
    case access
    /// Read the audit log.
    case audit
    /// See the events that were sent to the company's systems, without customers' ids: all of them, or those of campaigns only.
    case events
    /// Send events again, send tests, and enable endpoints.
    case eventRuns
    /// See which processes serve, and how they differ.
    case replicas
    /// See the apps and their catalogues.
    case catalogue
    /// See campaigns and their results.
    case campaigns
    /// Write campaigns and submit them for review.
    case campaignDrafts
    /// Publish approved drafts; pause, resume, end and archive campaigns; write notes.
    case campaignRuns
    /// Approve or reject drafts, and roll back to earlier revisions.
    case campaignApprovals
    /// Sign in to the console.
    case console

    /// Whether the service must answer requests that need this permission at once, even if many others wait.
    ///
    /// An operator who revokes a key cannot wait.
    package var isUrgent: Bool {
        switch self {
        case .keys, .access: true
        case .sign, .history, .customers, .verify, .override, .audit, .events, .eventRuns, .replicas, .catalogue, .campaigns,
            .campaignDrafts, .campaignRuns, .campaignApprovals, .console:
            false
        }
    }
}
