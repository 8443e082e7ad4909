public import Foundation

/// Supplies transactions and renewal information of StoreKit 2, as the App Store has signed them. At least one of the two lists
/// is required.
public struct TransactionsRequest: Encodable, Sendable {
    /// The app's bundle id; nil if the access key or token is for one app only, or if the service has only one app.
    public var bundleId: String?
    /// Your own id of the customer to whom the service binds the subscriptions; nil to bind them to no customer.
    public var customerId: String?
    /// Signed transactions, at most 500: the `jwsRepresentation` that StoreKit has, or the `signedTransactionInfo` of a
    /// notification or of the Server API.
    public var signedTransactions: [String]?
    /// The `signedRenewalInfo` of notifications or of the Server API, at most 500.
    public var signedRenewalInfos: [String]?

    /// Makes a request. Set further properties afterwards.
    public init(signedTransactions: [String]?, customerId: String? = nil, bundleId: String? = nil) {
        self.signedTransactions = signedTransactions
        self.customerId = customerId
        self.bundleId = bundleId
    }
}

/// Supplies an app's receipt, or the answer of verifyReceipt about one. Exactly one of the two is required.
public struct ReceiptRequest: Encodable, Sendable {
    /// The app's bundle id; nil if the access key or token is for one app only, or if the service has only one app.
    public var bundleId: String?
    /// Your own id of the customer to whom the service binds the subscriptions; nil to bind them to no customer.
    public var customerId: String?
    /// The receipt as it is on the device, in standard Base64.
    public var receiptData: String?
    /// The answer of verifyReceipt. It is not signed, so the service believes the backend.
    public var verifiedReceipt: VerifiedReceipt?

    /// Supplies a receipt. If the receipt alone does not say enough, the service asks the App Store about it (verifyReceipt).
    public init(receiptData: String, customerId: String? = nil, bundleId: String? = nil) {
        self.receiptData = receiptData
        self.customerId = customerId
        self.bundleId = bundleId
    }

    /// Supplies the answer that the App Store has already given about a receipt.
    public init(verifiedReceipt: VerifiedReceipt, customerId: String? = nil, bundleId: String? = nil) {
        self.verifiedReceipt = verifiedReceipt
        self.customerId = customerId
        self.bundleId = bundleId
    }
}

/// The whole answer of verifyReceipt, about a receipt of the iOS 7 style or of the iOS 6 style.
public struct VerifiedReceipt: Encodable, Equatable, Sendable {
    private let answer: JSON

    /// Reads the answer. Throws a `DecodingError` if the bytes are not JSON.
    ///
    /// - Parameter answer: the body of the App Store's answer.
    public init(_ answer: Data) throws { self.answer = try JSONDecoder().decode(JSON.self, from: answer) }

    /// Writes the answer unchanged, except that its members may have another order.
    public func encode(to encoder: any Encoder) throws { try answer.encode(to: encoder) }
}

/// Any JSON value.
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

/// Asks the service to fetch a customer's purchase history from the App Store.
public struct RefreshRequest: Encodable, Sendable {
    /// The app's bundle id; nil if the access key or token is for one app only, or if the service has only one app.
    public var bundleId: String?
    /// Your own id of the customer to whom the service binds the subscriptions; nil to bind them to no customer.
    public var customerId: String?
    /// Any transaction id of the customer.
    public var transactionId: String

    /// Names the customer by a transaction.
    public init(transactionId: String, customerId: String? = nil, bundleId: String? = nil) {
        self.transactionId = transactionId
        self.customerId = customerId
        self.bundleId = bundleId
    }
}

/// How much the service has stored of the purchases that it was given or has fetched.
public struct HistoryReport: Decodable, Equatable, Sendable {
    /// An element that the service has not stored.
    public struct Rejection: Decodable, Equatable, Sendable {
        /// The element's place in the list that `field` names, counted from 0.
        public let index: Int
        /// Why the service has not stored it, as a code for programs, such as `bound-to-another-customer`. A later version may
        /// have further codes.
        public let code: String
        /// The list that has the element: `signedTransactions` or `signedRenewalInfos`. It is `chains` if the element is a whole
        /// subscription or other purchase, made of the data of several elements.
        public let field: String
        /// What is wrong with the element, and what to do.
        public let detail: String
    }

    /// Why verifyReceipt has added nothing to what the receipt itself says.
    public struct Unanswered: Decodable, Equatable, Sendable {
        /// A code for programs.
        public let code: String
        /// The cause in words, for people.
        public let detail: String
    }

    /// The number of elements that were new to the service, or changed what it knew.
    public let accepted: Int
    /// The number of elements that the service already knew.
    public let unchanged: Int
    /// The elements that the service has not stored. It has stored the others all the same.
    public let rejected: [Rejection]
    /// Why verifyReceipt has added nothing to the receipt; nil if it has, or if the service did not ask it. What the receipt
    /// itself says is stored in either case.
    public let verifyReceipt: Unanswered?
}
