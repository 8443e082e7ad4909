import AppStore
import ArgumentParser
import EligibilityRules
import OfferService
import OfferStore
import WireText

/// Commands about purchase histories.
struct HistoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Import purchase histories, and look at them.",
        subcommands: [HistoryImportCommand.self, HistoryShowCommand.self]
    )
}

/// Shows the purchases of one customer.
struct HistoryShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a customer's purchases as a timeline, with the notifications about them."
    )

    @OptionGroup var options: ConfigurationOptions

    @OptionGroup var app: AppOptions

    @Argument(help: "The app's own id of the customer, or any transaction id of theirs.")
    var customer: String

    func run() async throws {
        let tools = try HistoryTools(options, bundleID: app.bundleID, environment: app.environment)
        let store = try tools.configuration.openStore(onWait: StandardError.note)
        let stored = try await tools.history(of: customer, in: store.purchases.histories)
        guard stored.isSupplied else {
            print("nothing is known of \(customer)")
            throw ExitCode.failure
        }
        for chain in stored.history.chains {
            var timeline = Timeline(chain)
            let redeemed = chain.transactions.filter { $0.offer?.kind == .promotional }
            let nonces = try await store.redemptions.nonces(redeemedBy: redeemed, partition: tools.app.partition)
            for transaction in redeemed {
                guard let nonce = nonces[ExactText(transaction.id)] else { continue }
                timeline.add(transaction.purchasedAt, "  signed by us, nonce \(nonce.lowerCaseString)")
            }
            let notifications = try await store.purchases.histories.notifications(
                partition: tools.app.partition, originalTransactionID: chain.originalID)
            for notification in notifications { timeline.add(notification) }
            for line in timeline.lines { print(line) }
        }
    }
}

extension HistoryTools {
    /// Returns the whole history of a customer, who is named by an id, a transaction id or an account token.
    func history(of customer: String, in histories: any HistoryStore) async throws -> StoredHistory {
        for query in [
            HistoryQuery(partition: app.partition, customerID: customer),
            HistoryQuery(partition: app.partition, transactionID: customer),
            HistoryQuery(partition: app.partition, appAccountToken: customer.lowercased()),
        ] {
            let stored = try await histories.wholeHistory(of: query)
            if stored.isSupplied { return stored }
        }
        return .unknown
    }

    /// Returns a product of the app. Throws if the catalogue does not have it.
    func product(_ id: String) throws -> SubscriptionProduct {
        guard let product = app.catalogue.product(id) else { throw CommandRefusal("no product \(id) in the catalogue") }
        return product
    }
}

/// The parts that all commands about histories use: the configuration and one of its apps.
struct HistoryTools {
    /// The app in the requested environment.
    let app: App
    let configuration: ServiceConfiguration

    /// - Parameters:
    ///   - bundleID: nil means the only configured app.
    ///   - environment: nil means the app's own.
    init(_ options: ConfigurationOptions, bundleID: String?, environment: App.Environment? = nil) throws {
        configuration = try options.load()
        let apps = AppDirectory(configuration.apps.map(App.init))
        guard let bundleID = bundleID ?? (apps.bundleIDs.count == 1 ? apps.bundleIDs[0] : nil) else {
            throw ValidationError("say which app with --app: \(apps.bundleIDs.joined(separator: ", "))")
        }
        let own: App
        do {
            own = try apps.app(bundleID)
        } catch {
            throw CommandRefusal("no app \(bundleID) in the configuration; it has \(apps.bundleIDs.joined(separator: ", "))")
        }
        do {
            app = try own.app(in: environment).withPurchases()
        } catch {
            let name = environment?.rawValue ?? own.environmentName
            throw ValidationError("--environment: \(bundleID) accepts no data of \(name); see apps[].sandbox")
        }
    }
}
