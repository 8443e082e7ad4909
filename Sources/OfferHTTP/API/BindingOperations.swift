import OfferService
import WireText

extension Operation {
    static let bindTransaction = Operation(
        id: "bindTransaction", method: .post, path: "/v1/customers/{customerId}/transactions", access: .needs(.history),
        about: About(
            tag: "history",
            summary: "Say whose a subscription is",
            text: """
                Binds a subscription to a customer. It is taken from another customer whose proof is weaker, such as the claim \
                of a client. With `transfer: true` it is taken from any other customer, if the app allows it.
                """,
            parameters: ["customerId"],
            body: Body(
                .bindingRequest, size: BodySize.usual,
                examples: [
                    Example("subscription", #"{"bundleId": "com.example.app", "transactionId": "2000000123456789"}"#),
                    Example(
                        "transfer",
                        #"""
                        {"bundleId": "com.example.app", "transactionId": "2000000123456789", "transfer": true}
                        """#),
                ]),
            successes: [
                Success(
                    "The two are bound.", "BindingAnswer", isPrivate: false,
                    examples: [
                        Example("bound", #"{"status": "bound"}"#),
                        Example("unchanged", #"{"status": "unchanged"}"#),
                        Example("transferred", #"{"status": "transferred"}"#),
                    ])
            ],
            problems: [404: "UnknownApp", 409: "BoundToAnotherCustomer", 413: "LargeBodyTooLarge"]))

    static let unbindTransaction = Operation(
        id: "unbindTransaction", method: .delete, path: "/v1/customers/{customerId}/transactions/{originalTransactionId}",
        access: .needs(.history),
        about: About(
            tag: "history",
            summary: "Unbind a subscription from a customer",
            text: """
                It then belongs to no customer, together with its predecessors and successors. The next customer who brings it \
                may have it.
                """,
            parameters: ["customerId", "originalTransactionId", "bundleIdInQuery", "environmentInQuery"],
            successes: [
                Success(
                    "It no longer belongs to the customer.", "BindingAnswer", isPrivate: false,
                    examples: [
                        Example("unbound", #"{"status": "unbound"}"#),
                        Example("unchanged", #"{"status": "unchanged"}"#),
                    ])
            ],
            problems: [404: "UnknownApp", 409: "BoundToAnotherCustomer"]))

    static let mergeCustomers = Operation(
        id: "mergeCustomers", method: .post, path: "/v1/customers/{customerId}/merge", access: .needs(.history),
        about: About(
            tag: "history",
            summary: "Make two customers one",
            text: """
                All that `from` has becomes the customer's, and `from` becomes a permanent alias. A request that names it is \
                then about the customer.
                """,
            parameters: ["customerId"],
            body: Body(
                .mergeRequest,
                examples: [
                    Example("signIn", #"{"bundleId": "com.example.app", "from": "anon-1"}"#)
                ]),
            successes: [
                Success(
                    "They are one.", "BindingAnswer", isPrivate: false,
                    examples: [
                        Example("merged", #"{"status": "merged"}"#),
                        Example("unchanged", #"{"status": "unchanged"}"#),
                    ])
            ],
            problems: [404: "UnknownApp", 409: "BoundToAnotherCustomer", 413: "BodyTooLarge"]))
}

extension NamedSchema {
    static let bindingRequest = NamedSchema(
        "BindingRequest",
        "The subscription that belongs to the customer in the path.",
        [
            .bundleID,
            Field(
                optional: "environment", .named("Environment"),
                """
                The environment that the request is about; default: the app's own. `Sandbox` beside a Production app only \
                where the app accepts it (`sandbox: true`). Nothing is known of purchases in Xcode.
                """),
            Field(
                "transactionId", .transactionID,
                "Any transaction id of the subscription. Its history need not be known yet.",
                example: "2000000123456789"),
            Field(
                optional: "transfer", .flag.orNull,
                """
                Whether the subscription is taken from another customer who has it. The app's setting `transfer` must not be \
                `never`. Its predecessors and successors go with it.
                """,
                example: true),
            Field(
                optional: "appAccountToken", .text.with("format", "uuid").orNull,
                """
                With the app's `writeAppAccountToken`: the `appAccountToken` that the App Store puts into the subscription's \
                transactions from then on. Left out: the customer's id, if that is a UUID.
                """,
                example: "0a7e5b1c-0000-4000-8000-00000000000a"),
        ])

    static let mergeRequest = NamedSchema(
        "MergeRequest",
        "The name that becomes an alias of the customer in the path.",
        [
            .bundleID,
            Field(
                "from", .name,
                "A name that the customer had before, such as an anonymous one. Everything of it becomes the customer's.",
                example: "anon-1"),
        ])

    static let bindingAnswer = NamedSchema(
        "BindingAnswer",
        "The result.",
        [
            Field(
                "status", .known("bound", "unchanged", "transferred", "unbound", "merged"),
                """
                `bound`: from now on. `unchanged`: it was bound before, or no customer had it. `transferred`: another \
                customer had it until now. `unbound`: no customer has it from now on. `merged`: the two are one from now on.
                """),
            Field(
                optional: "appAccountToken", .known("written", "not-written"),
                "Whether the App Store has the token; left out where there was nothing to write."),
            Field(
                optional: "reason", .text,
                "Why the token was not written to the App Store. The binding stands; bind again to write it."),
        ])
}
