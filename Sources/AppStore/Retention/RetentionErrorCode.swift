/// The values of Apple's `errorCode` for calls that set up Retention Messaging.
///
/// Source: https://developer.apple.com/documentation/retentionmessaging/error-codes
package enum RetentionErrorCode {
    /// There is no URL.
    package static let noURL: Int64 = 4_040_021
    /// There is no default message.
    package static let noDefaultMessage: Int64 = 4_040_020

    /// Returns the fault and the remedy, for people; nil for a code that is not recognised.
    package static func advice(_ code: Int64) -> String? { advice[code] }

    private static let advice: [Int64: String] = [
        4_000_161: "the App Store does not take the picture: a PNG without transparency, 3840 wide and 160 to 2160 high",
        4_000_162: "the header is too long",
        4_000_163: "the body is too long",
        4_000_164: "the App Store knows no such locale: use its short codes, as in en-US or de-DE; capitals matter",
        4_000_175: "the alternative text is too long",
        4_000_023: "the App Store knows no such product of this app",
        4_000_187: "this is not an original transaction id: take originalTransactionId of a sandbox purchase",
        4_000_211:
            "the App Store does not start the test: set the sandbox URL first, and name a purchase that was made in the sandbox",
        4_000_212: "this is no request id of a performance test",
        4_000_213: "a test is running already; wait for its result",
        4_000_215: "the App Store does not take the URL: https://, 256 characters at most",
        4_000_216: "the App Store knows no such size of pictures",
        4_000_218: "there are too many lines in the list",
        4_000_219: "a line of the list is too long",
        4_000_224: "a header above the picture needs a picture",
        4_030_014: "there are as many pictures as an app may have (2000): delete some",
        4_030_016: "there are as many messages as an app may have (2000): delete some",
        4_030_017: "the message is not approved (yet): see its state in the list of messages",
        4_030_018: "the message's picture is not approved (yet): see its state in the list of images",
        4_030_019: "a message uses the picture: delete that first",
        4_030_026: "the production URL can be set once the performance test is passed in the sandbox",
        4_040_014: "the App Store knows no picture under this id",
        4_040_015: "the App Store knows no message under this id",
        4_040_018: "the App Store knows no such performance test",
        4_040_020: "there is no default message for this product in this locale",
        4_040_021: "there is no URL",
        4_090_000: "there is a picture under this id already: take another id",
        4_090_001: "there is a message under this id already: take another id, or delete that one first",
    ]
}
