/// Something that a request wants to do.
package enum Permission: String, CaseIterable, Sendable {
    /// Get nonces and signatures.
    case sign
    /// Hand in and pull purchase history, say whose a subscription is.
    case history
    /// See, hand out and erase what is known of a customer.
    case customers
    /// Have a signature examined.
    case verify
    /// Have an introductory offer granted that the App Store would refuse.
    case override
    /// See and change which key signs.
    case keys
    /// Hand out and take back access keys.
    case access
    /// Read the audit log.
    case audit
    /// See which processes serve, and in what they differ.
    case replicas
    /// See the apps and their catalogues.
    case catalogue
    /// See campaigns and what came of them.
    case campaigns
    /// Write campaigns and have them looked at.
    case campaignDrafts
    /// Publish what was approved, pause, resume and end.
    case campaignRuns
    /// Find what others have written right or wrong, and have it back.
    case campaignApprovals
    /// Sign in to the console.
    case console
}
