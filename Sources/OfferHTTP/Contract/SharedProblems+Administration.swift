extension SharedProblem {
    static let unknownKey = SharedProblem(
        "UnknownKey", .rated,
        "No such signing key in an app that you may see, or no such app.",
        examples: [
            Example(
                404, "unknown-key", "No such signing key",
                """
                no key ABCDEFGHIJ serves any app that you may see; put SubscriptionKey_ABCDEFGHIJ.p8 into the key \
                folder, or correct apps in keys.yaml
                """),
            Example(404, "unknown-app", "No such app", "the configuration has no app com.example.other"),
        ])

    static let unknownProposal = SharedProblem(
        "UnknownProposal", .rated,
        "No such proposal.",
        examples: [
            Example(404, "unknown-proposal", "No such proposal", "there is no proposal 90b3de1ba0ae4f25 any more")
        ])

    static let unknownEvent = SharedProblem(
        "UnknownEvent", .rated,
        "No such event.",
        examples: [
            Example(
                404, "unknown-event", "No such event",
                "there is no delivery 17; those that are done are kept for events.keep")
        ])

    static let unknownEndpoint = SharedProblem(
        "UnknownEndpoint", .rated,
        "No such endpoint.",
        examples: [
            Example(
                404, "unknown-endpoint", "No such endpoint",
                "the configuration has no endpoint crm under events.endpoints")
        ])

    static let unknownAccessKey = SharedProblem(
        "UnknownAccessKey", .rated,
        "No such access key among those that you may see.",
        examples: [
            Example(
                404, "unknown-access-key", "No such access key",
                "there is no access key 0123456789abcdef that you may see; GET /v1/admin/access lists them")
        ])

    static let keyConflict = SharedProblem(
        "KeyConflict", .rated,
        "The decision is not possible now; nothing was changed.",
        examples: [
            Example(
                409, "key-ended", "Signing key ended",
                "the key ABCDEFGHIJ is revoked and cannot sign again; make another in App Store Connect"),
            Example(
                409, "key-active", "Signing key active already",
                "the key ABCDEFGHIJ signs for com.example.app already"),
            Example(
                409, "key-needed", "Signing key needed",
                """
                the key ABCDEFGHIJ signs for com.example.app; activate another first, or repeat this with evenIfActive: \
                true
                """),
            Example(
                409, "key-not-active", "Signing key not active",
                "the key ABCDEFGHIJ does not sign for com.example.app; nothing was changed"),
            Example(
                409, "key-not-everywhere", "Signing key not at every replica",
                "the key ABCDEFGHIJ is not loaded at web2:8080; put its file into the key folder there, and try again"),
            Example(
                409, "nothing-to-roll-back-to", "No earlier signing key",
                "no earlier key of com.example.app can sign again; to roll back other apps, name them with --app"),
            Example(
                409, "second-person-needed", "Second person needed",
                """
                90b3de1ba0ae4f25 waits for a second person, who is not the proposer and whose access key was not made by \
                the proposer
                """),
            Example(
                409, "changed-meanwhile", "Changed meanwhile",
                "another person has just decided about the keys; look at them and try again"),
        ])

    static let keyFolderReadOnly = SharedProblem(
        "KeyFolderReadOnly", .rated,
        "The service cannot put a file into the key folder.",
        examples: [
            Example(
                409, "key-folder-read-only", "Key folder is read-only",
                """
                the service cannot write into the key folder (Read-only file system); put the file there yourself, like \
                the others
                """)
        ])

    static let unusableKey = SharedProblem(
        "UnusableKey", .rated,
        "The service cannot use this key; nothing was changed.",
        examples: [
            Example(
                422, "unusable-key", "Unusable signing key",
                "SubscriptionKey_ABCDEFGHIJ.p8: not a private key in PEM")
        ])

    static let unknownCustomer = SharedProblem(
        "UnknownCustomer", .rated,
        "The app is not configured, or nothing is known of the customer in it.",
        examples: [
            Example(404, "unknown-app", "No such app", "the configuration has no app com.example.other"),
            Example(
                404, "unknown-customer", "No such customer",
                """
                nothing is known of this customer in the app com.example.app; correct the id, or supply purchases with \
                POST /v1/history/transactions
                """),
        ])

    static let unknownCampaign = SharedProblem(
        "UnknownCampaign", .rated,
        "No such campaign or revision, or no such app.",
        examples: [
            Example(
                404, "unknown-campaign", "No such campaign",
                "there is no campaign spring-winback of com.example.app"),
            Example(404, "unknown-revision", "No such revision", "there is no revision 7; the latest is 2"),
            Example(404, "unknown-app", "No such app", "the configuration has no app com.example.other"),
        ])

    static let campaignExists = SharedProblem(
        "CampaignExists", .rated,
        "The app has a campaign of this id; nothing was changed.",
        examples: [
            Example(
                409, "campaign-exists", "Campaign exists",
                "com.example.app has a campaign spring-winback already; give this one another id, or change that one")
        ])

    static let campaignConflict = SharedProblem(
        "CampaignConflict", .rated,
        "This is not possible now; nothing was changed.",
        examples: [
            Example(409, "not-now", "Not possible now", "the draft was not submitted; submit it first"),
            Example(
                409, "outdated-draft", "Outdated draft",
                """
                the draft was edited from revision 1, and revision 2 was published since; look at its changes, then save \
                the draft as edited from revision 2
                """),
            Example(
                409, "second-person-needed", "Second person needed",
                """
                0123456789abcdef is an author of this text, so another person must approve it or roll back to it: \
                neither an author nor a person with an access key made by an author; if every approver is an author, let \
                one person save the text as a new draft
                """),
        ])

    static let changedMeanwhile = SharedProblem(
        "ChangedMeanwhile", .rated,
        """
        Another person has changed the campaign since the version in `If-Match`; nothing was changed. The detail says \
        who did what.
        """,
        examples: [
            Example(
                412, "changed-meanwhile", "Changed meanwhile",
                """
                0123456789abcdef saved a draft at 2026-03-01T09:00:00Z; your change was not made; look at the campaign \
                as it is now and send the request again with If-Match: "8"
                """)
        ])

    static let invalidCampaign = SharedProblem(
        "InvalidCampaign", .rated,
        "The draft has faults that keep it from being published; `fields` names each with the remedy. It stays as it is.",
        examples: [
            Example(
                422, "invalid-campaign", "Campaign with faults",
                "it cannot be published as it is: variants: The weights add up to 95 %. They must add up to 100 %.",
                fields: [("variants", "The weights add up to 95 %. They must add up to 100 %.")])
        ])

    static let preconditionRequired = SharedProblem(
        "PreconditionRequired", .rated,
        "The request does not say which version it is about; nothing was changed.",
        examples: [
            Example(
                428, "precondition-required", "Precondition required",
                "the request has no If-Match; send the ETag of your last answer, or * for any version")
        ])

    static let nothingPublished = SharedProblem(
        "NothingPublished", .rated,
        "The campaign was not published, or not by then.",
        examples: [
            Example(
                409, "nothing-published", "Nothing published",
                """
                the campaign spring-winback was not published by then, so no customer was exposed; publish it, or ask \
                with a later asOf
                """)
        ])

    static let invalidTesters = SharedProblem(
        "InvalidTesters", .rated,
        "Some cannot be testers; `fields` names each with the remedy. The testers stay as they were.",
        examples: [
            Example(
                422, "invalid-testers", "Testers with faults",
                """
                the testers were not changed: testers[0].variant third is not a variant of the campaign; give one of \
                control, half
                """, fields: [("testers[0].variant", "third is not a variant of the campaign; give one of control, half")])
        ])

    static let unknownSegment = SharedProblem(
        "UnknownSegment", .rated,
        "No such segment, or no such app.",
        examples: [
            Example(404, "unknown-segment", "No such segment", "there is no segment lapsed"),
            Example(404, "unknown-app", "No such app", "the configuration has no app com.example.other"),
        ])

    static let segmentInUse = SharedProblem(
        "SegmentInUse", .rated,
        "Campaigns or segments name it; nothing was removed.",
        examples: [
            Example(
                409, "segment-in-use", "Segment in use",
                "the segment is in use by the campaign spring-winback; take it out of these first")
        ])

    static let invalidSegment = SharedProblem(
        "InvalidSegment", .rated,
        "The segment has faults, which `fields` names; nothing was saved.",
        examples: [
            Example(
                422, "invalid-segment", "Segment with faults",
                "the segment was not saved: condition: No customer can match. Correct it or remove it.",
                fields: [("condition", "No customer can match. Correct it or remove it.")])
        ])
}
