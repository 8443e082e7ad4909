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
        /// The last message about the secrets, which is logged only once.
        var reported: String?
    }

    private let folder: ReceiptSecretFolder
    private let logger: Logger
    private let state = Mutex(State())

    /// Has no secrets before the first `follow`.
    package init(folder: ReceiptSecretFolder, logger: Logger) {
        self.folder = folder
        self.logger = logger
    }

    /// Reads the secrets again if any of their files has changed. Makes the first secret if there is none and the folder can be
    /// written.
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

    /// The headers of all secrets. Every sealed receipt begins with the header of the secret that sealed it.
    var headers: Set<[UInt8]> { state.withLock { Set($0.keys.map(\.header)) } }

    /// Whether there is a secret, so that receipts can be sealed.
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

    /// Seals a receipt under its name; nil if there is no secret, or if the receipt is empty or too long.
    ///
    /// - Parameter customerID: the customer whom the sender of an unverified receipt claims; nil for other receipts.
    func seal(_ receipt: String, as name: ReceiptName, of partition: AppPartition, customerID: String? = nil) -> [UInt8]? {
        ReceiptForm.pack(receipt).flatMap { seal(packed: $0, as: name, of: partition, customerID: customerID) }
    }

    /// Seals a receipt in its packed form.
    func seal(packed bytes: [UInt8], as name: ReceiptName, of partition: AppPartition, customerID: String? = nil) -> [UInt8]? {
        guard let key = state.withLock(\.keys.last) else { return nil }
        return try? key.seal(bytes, for: Self.context(name, partition, customerID))
    }

    /// The receipt in a record; nil if its secret is not in the key folder, or if the record was sealed as another one.
    func open(_ record: ReceiptRecord) -> String? {
        let context = Self.context(record.name, record.partition, record.customerID)
        for key in state.withLock(\.keys).reversed() {
            if let bytes = key.open(record.sealed, for: context) { return ReceiptForm.unpack(bytes) }
        }
        return nil
    }

    // Ids do not contain the byte 0, so no two records have the same context.
    private static func context(_ name: ReceiptName, _ partition: AppPartition, _ customerID: String?) -> [UInt8] {
        switch name {
        case .subscription(let id): Array("subscription\0\(partition.name)\0\(id)".utf8)
        case .unverified(let digest):
            Array("unverified\0\(partition.name)\0\(Crypto.hexadecimal(digest))\0\(customerID.map { "\($0)\0" } ?? "")".utf8)
        }
    }
}

/// The bytes of a receipt that are sealed: decoded from Base64, and then compressed.
enum ReceiptForm {
    /// The maximum number of characters of a receipt that is kept. The API accepts no longer receipt either.
    ///
    /// A receipt grows by some 400 bytes with each period.
    static let maxLength = 16 << 20

    private static let text: UInt8 = 0
    private static let decoded: UInt8 = 1

    /// Nil if the receipt is empty or too long.
    static func pack(_ receipt: String) -> [UInt8]? {
        guard !receipt.isEmpty, receipt.utf8.count <= maxLength else { return nil }
        // If the decoder does not accept this spelling of Base64, the text itself is packed, so that unpacking gives the same
        // text.
        let bytes = Base64.decode(receipt.utf8)
        let compressed = Deflate.compress(bytes ?? Array(receipt.utf8))
        return compressed.isEmpty ? nil : [bytes == nil ? text : decoded] + compressed
    }

    /// Nil if the bytes were not made by `pack`.
    static func unpack(_ bytes: [UInt8]) -> String? {
        guard let form = bytes.first, let content = Deflate.expand(bytes.dropFirst(), maxLength: maxLength) else { return nil }
        switch form {
        case text: return String(decoding: content, as: UTF8.self)
        case decoded: return Base64.encode(content)
        default: return nil
        }
    }
}
