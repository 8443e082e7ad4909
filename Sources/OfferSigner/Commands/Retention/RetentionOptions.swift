import AppStore
import ArgumentParser
import OfferService
import OfferSigning
import OfferStore

/// The app and the environment that a command about Retention Messaging is for. It also makes the requests to the App Store.
struct RetentionOptions: ParsableArguments {
    @OptionGroup var options: ConfigurationOptions

    @Option(name: .customLong("app"), help: ArgumentHelp("The app. Default: the only one.", valueName: "bundle id"))
    var bundleID: String?

    @Option(
        help: ArgumentHelp(
            "Where, production or sandbox: each has its own pictures, texts and URL. Default: the app's own.",
            valueName: "environment"))
    var environment: App.Environment?

    /// Calls `body` with the API. If the App Store refuses the request, throws an error that explains why.
    func ask<Value: Sendable>(
        _ body: (ServerAPI, AppStoreEnvironment) async throws(AppStoreError) -> Value
    ) async throws -> Value {
        let tools = try HistoryTools(options, bundleID: bundleID)
        let name = environment?.rawValue ?? tools.app.environmentName
        guard let environment = AppStoreEnvironment(rawValue: name), !environment.isLocal else {
            throw ValidationError("--environment: \(name) has no Retention Messaging; it is production or sandbox")
        }
        let door = try CommandDoor(options)
        let purchases = try door.configuration.openPurchaseStore(onWait: StandardError.note)
        let api = try await door.serverAPI(of: tools.app.bundleID, purchases)
        let result: Result<Value, AppStoreError>
        do throws(AppStoreError) { result = .success(try await body(api, environment)) } catch { result = .failure(error) }
        try door.closeUnchanged()
        try purchases.file.close()
        switch result {
        case .success(let value): return value
        case .failure(let error): throw RetentionCallError(error)
        }
    }
}

/// Why the App Store has refused a command's request, in words for people.
struct RetentionCallError: Error, CustomStringConvertible {
    let description: String

    init(_ error: AppStoreError) {
        let advice = error.appleCode.flatMap(RetentionErrorCode.advice)
        let words = advice ?? error.appleMessage ?? Self.hint(error.code)
        description = words.map { "\($0) (\(error.detail))" } ?? "\(error)"
    }

    private static func hint(_ code: AppStoreError.Code) -> String? {
        switch code {
        case .notFound:
            "the App Store has no Retention Messaging for this app: ask Apple for access, https://developer.apple.com/contact/request/retention-messaging-api/"
        case .appNotReleased: "use --environment sandbox before the app's first release"
        case .unauthorized: "the App Store refuses the key; see offersigner doctor"
        default: nil
        }
    }
}
