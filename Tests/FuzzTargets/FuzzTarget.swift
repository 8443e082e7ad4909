/// A decoder of foreign bytes together with what has to hold whatever comes in; what does not hold traps.
///
/// Its raw value is the name of its seeds' folder.
package enum FuzzTarget: String, CaseIterable, Sendable {
    case appReceipt = "app-receipt"
    case certificates
    case chainRecord = "chain-record"
    case connection
    case importLine = "import-line"
    case json
    case notificationV1 = "notification-v1"
    case receipt
    case signedData = "signed-data"
    case signedPayload = "signed-payload"
    case upload

    /// Feeds it one input.
    package func run(_ input: UnsafeBufferPointer<UInt8>) {
        switch self {
        case .appReceipt: FuzzTarget.readAppReceipt(input)
        case .certificates: FuzzTarget.readCertificates(input)
        case .chainRecord: FuzzTarget.readChainRecord(input)
        case .connection: FuzzTarget.serveConnection(input)
        case .importLine: FuzzTarget.readImportLine(input)
        case .json: FuzzTarget.parseJSON(input)
        case .notificationV1: FuzzTarget.readNotificationV1(input)
        case .receipt: FuzzTarget.readReceipt(input)
        case .signedData: FuzzTarget.verifySignedData(input)
        case .signedPayload: FuzzTarget.readSignedPayload(input)
        case .upload: FuzzTarget.readUpload(input)
        }
    }
}
