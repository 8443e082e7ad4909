package import FoundationEssentials
import WireText

// Retention Messaging: https://developer.apple.com/documentation/retentionmessaging
extension ServerAPI {
    private static let root = "/inApps/v1/messaging"

    /// Uploads a picture under a new id. The App Store shows it once Apple has approved it; in the sandbox that happens at once.
    package func upload(
        _ image: RetentionImage,
        as identifier: UUID,
        in environment: AppStoreEnvironment
    ) async throws(AppStoreError) {
        // A picture without a size counts as full-size. For such a picture the parameter is left out, so that a server that does
        // not know it accepts the request, too.
        let query = image.size == .full ? "" : "?imageSize=\(image.size.rawValue)"
        _ = try await ask(in: environment, .put, "\(Self.root)/image/\(identifier.lowerCaseString)\(query)", .png(image.png))
    }

    /// Returns all pictures, with their states.
    package func retentionImages(in environment: AppStoreEnvironment) async throws(AppStoreError) -> [RetentionUpload] {
        try await ask(in: environment, .get, "\(Self.root)/image/list").objects("imageIdentifiers").compactMap { each in
            RetentionUpload(each, identifier: "imageIdentifier", state: "imageState")
        }
    }

    /// Deletes a picture.
    package func deleteRetentionImage(_ identifier: UUID, in environment: AppStoreEnvironment) async throws(AppStoreError) {
        _ = try await ask(in: environment, .delete, "\(Self.root)/image/\(identifier.lowerCaseString)")
    }

    /// Uploads a text under a new id. The App Store shows it once Apple has approved it; in the sandbox that happens at once.
    package func upload(
        _ message: RetentionMessage,
        as identifier: UUID,
        in environment: AppStoreEnvironment
    ) async throws(AppStoreError) {
        _ = try await ask(in: environment, .put, "\(Self.root)/message/\(identifier.lowerCaseString)", .json(message.json))
    }

    /// Returns all texts, with their states.
    package func retentionMessages(in environment: AppStoreEnvironment) async throws(AppStoreError) -> [RetentionUpload] {
        try await ask(in: environment, .get, "\(Self.root)/message/list").objects("messageIdentifiers").compactMap { each in
            RetentionUpload(each, identifier: "messageIdentifier", state: "messageState")
        }
    }

    /// Deletes a text.
    package func deleteRetentionMessage(_ identifier: UUID, in environment: AppStoreEnvironment) async throws(AppStoreError) {
        _ = try await ask(in: environment, .delete, "\(Self.root)/message/\(identifier.lowerCaseString)")
    }

    /// Sets the text that the App Store shows for a product in a locale if the service does not answer the real-time request in
    /// time.
    package func setDefaultMessage(
        _ identifier: UUID,
        for place: DefaultMessagePlace,
        in environment: AppStoreEnvironment
    ) async throws(AppStoreError) {
        let body = JSONWriter.bytes { json in
            json.append(raw: #"{"messageIdentifier":""#)
            json.append(unquoted: identifier)
            json.append(raw: #""}"#)
        }
        _ = try await ask(in: environment, .put, Self.path(place), .json(body))
    }

    /// Returns the default text for a product in a locale, or nil if there is none.
    package func defaultMessage(
        for place: DefaultMessagePlace,
        in environment: AppStoreEnvironment
    ) async throws(AppStoreError) -> String? {
        try await unless(RetentionErrorCode.noDefaultMessage) { () async throws(AppStoreError) in
            try await ask(in: environment, .get, Self.path(place)).text("messageIdentifier")
        }
    }

    /// Deletes the default text for a product in a locale.
    package func deleteDefaultMessage(
        for place: DefaultMessagePlace,
        in environment: AppStoreEnvironment
    ) async throws(AppStoreError) {
        _ = try await ask(in: environment, .delete, Self.path(place))
    }

    /// Sets the URL to which the App Store sends its real-time requests.
    package func setRealtimeURL(_ url: String, in environment: AppStoreEnvironment) async throws(AppStoreError) {
        let body = JSONWriter.bytes { json in
            json.append(raw: #"{"realtimeURL":"#)
            json.append(url)
            json.append(raw: "}")
        }
        _ = try await ask(in: environment, .put, "\(Self.root)/realtime/url", .json(body))
    }

    /// Returns the URL to which the App Store sends its real-time requests, or nil if none is set.
    package func realtimeURL(in environment: AppStoreEnvironment) async throws(AppStoreError) -> String? {
        try await unless(RetentionErrorCode.noURL) { () async throws(AppStoreError) in
            try await ask(in: environment, .get, "\(Self.root)/realtime/url").text("realtimeURL")
        }
    }

    /// Deletes the URL, so that the App Store sends no more real-time requests.
    package func deleteRealtimeURL(in environment: AppStoreEnvironment) async throws(AppStoreError) {
        _ = try await ask(in: environment, .delete, "\(Self.root)/realtime/url")
    }

    /// Starts the App Store's test of how fast the service answers at the sandbox's URL.
    ///
    /// - Parameter originalTransactionID: the id of a purchase in the sandbox. The requests of the test are about this purchase.
    package func startPerformanceTest(
        originalTransactionID: String
    ) async throws(AppStoreError) -> PerformanceTest {
        let id = try URLText.transactionID(originalTransactionID)
        let body = JSONWriter.bytes { json in
            json.append(raw: #"{"originalTransactionId":"#)
            json.append(id)
            json.append(raw: "}")
        }
        let answer = try await ask(in: .sandbox, .post, "\(Self.root)/performanceTest", .json(body))
        guard let requestID = answer.text("requestId") else {
            throw AppStoreError(.malformedAnswer, "the App Store's answer has no request id for the test")
        }
        return PerformanceTest(requestID: requestID, terms: PerformanceTest.Terms(answer.object("config")))
    }

    /// Returns the result of a test so far.
    package func performanceTestResult(_ requestID: String) async throws(AppStoreError) -> PerformanceTest.Result {
        let answer = try await ask(in: .sandbox, .get, "\(Self.root)/performanceTest/result/\(URLText.encoded(requestID))")
        guard let result = PerformanceTest.Result(answer) else {
            throw AppStoreError(.malformedAnswer, "the App Store's answer has no result of the test")
        }
        return result
    }

    private static func path(_ place: DefaultMessagePlace) -> String {
        "\(root)/default/\(URLText.encoded(place.productID))/\(URLText.encoded(place.locale))"
    }

    private func unless<Value: Sendable>(
        _ code: Int64,
        _ body: () async throws(AppStoreError) -> Value?
    ) async throws(AppStoreError) -> Value? {
        do {
            return try await body()
        } catch {
            guard error.appleCode == code else { throw error }
            return nil
        }
    }
}

extension RetentionUpload {
    /// Returns nil if the object has no id.
    fileprivate init?(_ object: AppleObject, identifier: String, state: String) {
        guard let identifier = object.text(identifier) else { return nil }
        self.init(identifier: identifier, state: object.text(state) ?? "?", size: object.text("imageSize"))
    }
}
