public import Foundation

/// Supplies StoreKit 2 data, as the App Store has signed it. One of the two lists is required.
public struct TransactionsRequest: Encodable, Sendable {
    /// The app's bundle id; nil where the credential is for one app.
    public var bundleId: String?
    /// The app's own id of the customer to whom the subscriptions are bound; nil binds none.
    public var customerId: String?
    /// `signedTransactionInfo`, or `jwsRepresentation` of transactions; at most 500.
    public var signedTransactions: [String]?
    /// `signedRenewalInfo`; at most 500.
    public var signedRenewalInfos: [String]?

    /// Names the transactions, and the customer.
    public init(signedTransactions: [String]?, customerId: String? = nil, bundleId: String? = nil) {
        self.signedTransactions = signedTransactions
        self.customerId = customerId
        self.bundleId = bundleId
    }
}

/// Supplies a receipt, or the answer of verifyReceipt about one.
public struct ReceiptRequest: Encodable, Sendable {
    /// The app's bundle id; nil where the credential is for one app.
    public var bundleId: String?
    /// The app's own id of the customer to whom the subscriptions are bound; nil binds none.
    public var customerId: String?
    /// The receipt as it is on the device, in standard Base64.
    public var receiptData: String?
    /// The answer of verifyReceipt, for which the backend vouches.
    public var verifiedReceipt: VerifiedReceipt?

    /// Supplies a receipt, about which the service may ask the App Store.
    public init(receiptData: String, customerId: String? = nil, bundleId: String? = nil) {
        self.receiptData = receiptData
        self.customerId = customerId
        self.bundleId = bundleId
    }

    /// Supplies what the App Store has answered already.
    public init(verifiedReceipt: VerifiedReceipt, customerId: String? = nil, bundleId: String? = nil) {
        self.verifiedReceipt = verifiedReceipt
        self.customerId = customerId
        self.bundleId = bundleId
    }
}

/// The whole answer of verifyReceipt, of either style.
public struct VerifiedReceipt: Encodable, Equatable, Sendable {
    private let answer: JSON

    /// Throws a `DecodingError` if the bytes are not JSON.
    ///
    /// - Parameter answer: the body of the App Store's answer.
    public init(_ answer: Data) throws { self.answer = try JSONDecoder().decode(JSON.self, from: answer) }

    /// Writes the answer as it came, but for the order of its members.
    public func encode(to encoder: any Encoder) throws { try answer.encode(to: encoder) }
}

/// Any JSON.
private enum JSON: Codable, Equatable, Sendable {
    case null
    case flag(Bool)
    case integer(Int64)
    case number(Double)
    case text(String)
    case list([JSON])
    case object([String: JSON])

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let flag = try? value.decode(Bool.self) {
            self = .flag(flag)
        } else if let integer = try? value.decode(Int64.self) {
            self = .integer(integer)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let list = try? value.decode([JSON].self) {
            self = .list(list)
        } else {
            self = .object(try value.decode([String: JSON].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .null: try value.encodeNil()
        case .flag(let flag): try value.encode(flag)
        case .integer(let integer): try value.encode(integer)
        case .number(let number): try value.encode(number)
        case .text(let text): try value.encode(text)
        case .list(let list): try value.encode(list)
        case .object(let object): try value.encode(object)
        }
    }
}

/// Asks the service to fetch a history from the App Store.
public struct RefreshRequest: Encodable, Sendable {
    /// The app's bundle id; nil where the credential is for one app.
    public var bundleId: String?
    /// The app's own id of the customer to whom the subscriptions are bound; nil binds none.
    public var customerId: String?
    /// Any transaction id of the customer.
    public var transactionId: String

    /// Names the transaction, and the customer.
    public init(transactionId: String, customerId: String? = nil, bundleId: String? = nil) {
        self.transactionId = transactionId
        self.customerId = customerId
        self.bundleId = bundleId
    }
}

/// What the service has stored of what it was given.
public struct HistoryReport: Decodable, Equatable, Sendable {
    /// An element that the service has left out.
    public struct Rejection: Decodable, Equatable, Sendable {
        /// Its place in the list, from 0.
        public let index: Int
        /// Why, for programs, such as `bound-to-another-customer`. There can be others in a later version.
        public let code: String
        /// The list: `signedTransactions`, `signedRenewalInfos`, or `chains` for subscriptions and other purchases.
        public let field: String
        /// What is wrong and what to do.
        public let detail: String
    }

    /// Why verifyReceipt has added nothing to a receipt.
    public struct Unanswered: Decodable, Equatable, Sendable {
        /// For programs.
        public let code: String
        /// For people.
        public let detail: String
    }

    /// How many were new.
    public let accepted: Int
    /// How many were known.
    public let unchanged: Int
    /// Those that were left out. The others are stored all the same.
    public let rejected: [Rejection]
    /// Only for a receipt about which verifyReceipt was asked in vain; what the receipt itself says is stored.
    public let verifyReceipt: Unanswered?
}
