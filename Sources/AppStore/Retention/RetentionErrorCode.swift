/// The values of Apple's `errorCode` in answers to calls that set up Retention Messaging.
///
/// Source: https://developer.apple.com/documentation/retentionmessaging/error-codes
package enum RetentionErrorCode {
    /// No URL is set to which the App Store could send its real-time requests.
    package static let noURL: Int64 = 4_040_021
    /// The product has no default message in the locale.
    package static let noDefaultMessage: Int64 = 4_040_020

    /// Returns a text that says what is wrong and what to do about it; nil for a code that is not known here.
    package static func advice(_ code: Int64) -> String? { advice[code] }

    private static let advice: [Int64: String] = [
        4_000_161: "the App Store refuses the picture; give a PNG without transparency, 3840 pixels wide and 160 to 2160 high",
        4_000_162: "the header is too long",
        4_000_163: "the body is too long",
        4_000_164: "the App Store does not know this locale; use its short codes, such as en-US or de-DE; capitals matter",
        4_000_175: "the alternative text is too long",
        4_000_023: "the App Store does not know this product of the app",
        4_000_187: "this is not an original transaction id; give the originalTransactionId of a sandbox purchase",
        4_000_211:
            "the App Store did not start the test; set the sandbox URL first, and name a sandbox purchase",
        4_000_212: "this is not the request id of a performance test",
        4_000_213: "a test is already running; wait for its result",
        4_000_215: "the App Store refuses the URL; give one that begins with https:// and has at most 256 characters",
        4_000_216: "the App Store does not know this picture size",
        4_000_218: "there are too many lines in the list",
        4_000_219: "a line of the list is too long",
        4_000_224: "a header above the picture needs a picture",
        4_030_014: "the app has 2000 pictures, which is the maximum; delete some",
        4_030_016: "the app has 2000 messages, which is the maximum; delete some",
        4_030_017: "the message is not approved yet; see its state in the list of messages",
        4_030_018: "the message's picture is not approved yet; see its state in the list of images",
        4_030_019: "a message uses the picture; delete that message first",
        4_030_026: "the production URL needs a passed performance test in the sandbox; run that test first",
        4_040_014: "the App Store has no picture with this id",
        4_040_015: "the App Store has no message with this id",
        4_040_018: "the App Store has no such performance test",
        4_040_020: "there is no default message for this product in this locale",
        4_040_021: "there is no URL",
        4_090_000: "a picture with this id exists already; give another id",
        4_090_001: "a message with this id exists already; give another id, or delete that message first",
    ]
}
