import AppStore

/// The reason that the App Store refused a command's request, for people.
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
