package import Logging
import OfferSigning
import OfferStore
import Synchronization
import WireText

/// Seals and opens receipts with the secrets of the key folder.
package final class ReceiptVault: Sendable {
    private struct State {
        var keys: [SealingKey] = []
        var versions: [Int: FileVersion]?
        /// The last message.
        var reported: String?
    }

    private let folder: ReceiptSecretFolder
    private let logger: Logger
    private let state = Mutex(State())

    /// Reads nothing before `follow`.
    package init(folder: ReceiptSecretFolder, logger: Logger) {
        self.folder = folder
        self.logger = logger
    }

    /// Reads the secrets if any file has changed. Makes the first one if there is none and one can be made.
    package func follow() {
        var versions = folder.versions
        if versions.isEmpty { if makeFirst() { versions = folder.versions } }
        let current = versions
        guard state.withLock({ $0.versions != current }) else { return }
        let (keys, faults) = folder.keys()
        let complaint = keys.isEmpty ? "there is no receipt secret in \(folder.directory)" : nil
        let reported = ([complaint].compactMap(\.self) + faults).joined(separator: "; ")
        let isNew = state.withLock { state in
            (state.keys, state.versions) = (keys.map(\.key), versions)
            defer { state.reported = reported }
            return state.reported != reported && !(reported.isEmpty && state.reported == nil)
        }
        guard isNew else { return }
        if reported.isEmpty {
            logger.notice("the receipt secrets can be used again")
        } else {
            logger.error(
                keys.isEmpty ? "no receipt is kept, and none is asked about" : "a receipt secret cannot be used",
                metadata: ["reason": "\(reported)"])
        }
    }

    /// For each secret, the header with which every receipt begins that it has sealed.
    var headers: Set<[UInt8]> { state.withLock { Set($0.keys.map(\.header)) } }

    /// Whether receipts can be sealed.
    package var hasSecret: Bool { state.withLock { !$0.keys.isEmpty } }

    private func makeFirst() -> Bool {
        do throws(SigningError) {
            guard try folder.makeFirst() else { return false }
            logger.notice(
                "a receipt secret was made; keep a copy of it with the keys", metadata: ["folder": "\(folder.directory)"])
            return true
        } catch {
            logger.debug("no receipt secret could be made", metadata: ["reason": "\(error.detail)"])
            return false
        }
    }

    /// Seals a receipt under its name; nil if there is no secret, or the receipt is empty or too long.
    ///
    /// - Parameter customerID: the claimed customer of a receipt that is not verified yet.
    func seal(_ receipt: String, as name: ReceiptName, of partition: AppPartition, customerID: String? = nil) -> [UInt8]? {
        ReceiptForm.pack(receipt).flatMap { seal(packed: $0, as: name, of: partition, customerID: customerID) }
    }

    /// Seals a receipt in its packed form.
    func seal(packed bytes: [UInt8], as name: ReceiptName, of partition: AppPartition, customerID: String? = nil) -> [UInt8]? {
        guard let key = state.withLock(\.keys.last) else { return nil }
        return try? key.seal(bytes, for: Self.context(name, partition, customerID))
    }

    /// The receipt of a record; nil if the secret is not here, or the record was not sealed for exactly this place.
    func open(_ record: ReceiptRecord) -> String? {
        let context = Self.context(record.name, record.partition, record.customerID)
        for key in state.withLock(\.keys).reversed() {
            if let bytes = key.open(record.sealed, for: context) { return ReceiptForm.unpack(bytes) }
        }
        return nil
    }

    // Ids do not contain byte 0, so no two places have the same context.
    private static func context(_ name: ReceiptName, _ partition: AppPartition, _ customerID: String?) -> [UInt8] {
        switch name {
        case .subscription(let id): Array("subscription\0\(partition.name)\0\(id)".utf8)
        case .unverified(let digest):
            Array("unverified\0\(partition.name)\0\(Crypto.hexadecimal(digest))\0\(customerID.map { "\($0)\0" } ?? "")".utf8)
        }
    }
}

/// A receipt as the bytes that are sealed: decoded from Base64, and compressed.
enum ReceiptForm {
    /// The maximum number of characters of a receipt that is kept, which is also the maximum of one that the API accepts.
    ///
    /// A receipt grows by some 400 bytes with each period.
    static let maxLength = 16 << 20

    private static let text: UInt8 = 0
    private static let decoded: UInt8 = 1

    /// Nil for a receipt that is empty or too long.
    static func pack(_ receipt: String) -> [UInt8]? {
        guard !receipt.isEmpty, receipt.utf8.count <= maxLength else { return nil }
        // A receipt in a spelling of Base64 that the decoder refuses is packed as text, so that it comes out as it went in.
        let bytes = Base64.decode(receipt.utf8)
        let compressed = Deflate.compress(bytes ?? Array(receipt.utf8))
        return compressed.isEmpty ? nil : [bytes == nil ? text : decoded] + compressed
    }

    /// Nil if it was not packed by `pack`.
    static func unpack(_ bytes: [UInt8]) -> String? {
        guard let form = bytes.first, let content = Deflate.expand(bytes.dropFirst(), maxLength: maxLength) else { return nil }
        switch form {
        case text: return String(decoding: content, as: UTF8.self)
        case decoded: return Base64.encode(content)
        default: return nil
        }
    }
}
