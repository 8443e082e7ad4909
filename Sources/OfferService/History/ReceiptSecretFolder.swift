import FoundationEssentials
package import OfferSigning

/// The secrets in the key folder that seal receipts. The one with the highest number seals; the others open.
package struct ReceiptSecretFolder: Sendable {
    /// The path of the folder.
    package let directory: String

    /// Reads nothing yet.
    package init(directory: String) { self.directory = directory }

    /// The versions of the secrets' files by number.
    ///
    /// They change whenever a file changes.
    var versions: [Int: FileVersion] {
        Dictionary(
            uniqueKeysWithValues: numbers.compactMap { number in
                FileVersion(path: ReceiptSecretFile(folder: directory, number: number).path).map { (number, $0) }
            })
    }

    /// Whether a secret can be made there.
    package var isWritable: Bool { FileManager.default.isWritableFile(atPath: directory) }

    /// Every secret that can be used, by number, and the faults of the others.
    package func keys() -> (keys: [(number: Int, key: SealingKey)], faults: [String]) {
        var (keys, faults): ([(number: Int, key: SealingKey)], [String]) = ([], [])
        for number in numbers {
            do throws(SigningError) {
                keys.append((number, try ReceiptSecretFile(folder: directory, number: number).load()))
            } catch {
                faults.append(error.detail)
            }
        }
        return (keys, faults)
    }

    /// Makes the first secret if there is none. Returns true if it did.
    package func makeFirst() throws(SigningError) -> Bool {
        numbers.isEmpty ? try ReceiptSecretFile(folder: directory, number: 1).create() : false
    }

    /// Makes a secret that seals from now on. Returns its file; nil if another process has just made one.
    package func makeNext() throws(SigningError) -> String? {
        let file = ReceiptSecretFile(folder: directory, number: (numbers.last ?? 0) + 1)
        return try file.create() ? file.path : nil
    }

    private var numbers: [Int] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        return Set(names.compactMap(ReceiptSecretFile.number)).sorted()
    }
}
