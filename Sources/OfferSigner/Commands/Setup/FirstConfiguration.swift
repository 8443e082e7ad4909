import FoundationEssentials
import WireText

/// The configuration of one app that `offersigner init` writes, with comments that explain each line.
struct FirstConfiguration {
    /// The path of the store's first file.
    let store: String
    /// The path of the key folder.
    let keys: String
    let port: Int
    /// The answers so far. An example takes the place of a missing answer.
    var answers: [SetupQuestion: String] = [:]

    subscript(question: SetupQuestion) -> String { answers[question] ?? question.example }

    /// Returns the fault of an answer; nil if there is none.
    func fault(of answer: String, to question: SetupQuestion) -> String? {
        switch question {
        case .bundleID where answer.wholeMatch(of: /[0-9A-Za-z.\-]+/) == nil:
            return "must have letters, digits, hyphens and periods only; App Store Connect shows it under App Information"
        case .issuerID where UUID(text: answer) == nil:
            return "must be a UUID; App Store Connect shows it under Users and Access, Integrations, above the list of keys"
        default: break
        }
        var tried = self
        tried.answers[question] = answer
        do {
            try tried.check()
            return nil
        } catch {
            let place = "\(question.path): "
            return error.problems.first { $0.hasPrefix(place) }.map { String($0.dropFirst(place.count)) }
        }
    }

    /// Throws the problems that the service would report about the configuration.
    func check() throws(ConfigurationError) {
        _ = try ServiceConfiguration(ConfigurationTree(files: [(name: "the new configuration", yaml: yaml)], variables: [:]))
    }

    /// Returns the manifest of the key folder.
    func manifest(keyID: String) -> String {
        """
        # Which key signs for which apps; its life after the first start is decided by `offersigner keys` (docs/keys.md).
        keys:
          - id: \(keyID)
            file: SubscriptionKey_\(keyID).p8
            # Left out: every app.
            apps: [\(quoted(.bundleID))]
            # staged, active (signs), retiring, retired or revoked.
            state: active

        """
    }

    /// The text of the configuration file.
    var yaml: String {
        """
        # Written by `offersigner init`, for one app. docs/configuration.md explains every key.
        # After a change run offersigner check-config, then restart the service.

        # production refuses the published example key, plain HTTP with other machines, and to begin without `store create`.
        environment: production

        # Where the service listens: only this machine reaches it. For others give http.tls, or let a proxy on this machine
        # end TLS (docs/operations.md, TLS or a proxy).
        http: {host: 127.0.0.1, port: \(port)}

        # What was signed, and beside it what customers bought; on a local disk. docs/backup.md, docs/scale-out.md (PostgreSQL)
        store: {sqlite: \(CatalogueDocument.quoted(store))}

        # The folder of the In-App Purchase keys. keys.yaml in it says which one signs (docs/keys.md).
        keys: {directory: \(CatalogueDocument.quoted(keys))}

        # One element for each app.
        apps:
          - bundleId: \(quoted(.bundleID))
            # Issuer id in App Store Connect, above the list of keys: needed for JWS and for the App Store Server API.
            \(line("issuerId", .issuerID))
            # The app's Apple ID: needed for App Store Server Notifications V2 (docs/operations.md).
            \(line("appAppleId", .appleID))
            # enforce refuses customers whom the App Store would refuse; advise signs and adds the verdict, as long as purchase
            # histories are not imported (docs/operations.md, Turn on enforcement).
            eligibility: enforce
            # Only the offers of these products are signed. `offersigner catalogue pull` reads all of them (docs/catalogue.md).
            subscriptionGroups:
              # The group's number, and its products, with ids as in App Store Connect.
              - id: \(quoted(.groupID))
                products:
                  - id: \(quoted(.productID))
                    # How long a period is, ISO 8601. A product with an introductory offer also needs, for verdicts on it,
                    # introductoryOffer: {kind: free-trial, period: P1W}
                    period: \(plain(.period))
                    # kind is free-trial, pay-as-you-go or pay-up-front; limits: docs/eligibility.md, Limits of offers
                    promotionalOffers:
                      - {id: \(quoted(.offerID)), kind: \(plain(.offerKind)), period: \(plain(.offerPeriod))}

        """
    }

    private func line(_ key: String, _ question: SetupQuestion) -> String {
        answers[question] == nil ? "# \(key): \(question.example)" : "\(key): \(plain(question))"
    }

    private func quoted(_ question: SetupQuestion) -> String { CatalogueDocument.quoted(self[question]) }

    /// Returns an answer without quotes if YAML gives none of its characters a meaning, otherwise in quotes.
    private func plain(_ question: SetupQuestion) -> String {
        self[question].wholeMatch(of: /[0-9A-Za-z]+(-[0-9A-Za-z]+)*/) == nil ? quoted(question) : self[question]
    }
}
