import FoundationEssentials
package import OfferSigning

/// The secrets in the key folder that seal receipts. The secret with the highest number seals, and the others open older
/// receipts.
package struct ReceiptSecretFolder: Sendable {
    package let directory: String

    package init(directory: String) { self.directory = directory }

    /// The version of each secret's file, by number.
    ///
    /// The version of a file changes whenever the file changes.
    var versions: [Int: FileVersion] {
        Dictionary(
            uniqueKeysWithValues: numbers.compactMap { number in
                FileVersion(path: ReceiptSecretFile(folder: directory, number: number).path).map { (number, $0) }
            })
    }

    /// Whether the service can make a secret in the folder.
    package var isWritable: Bool { FileManager.default.isWritableFile(atPath: directory) }

    /// Every secret that can be used, by number, and what is wrong with the others.
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

    /// Makes a secret, which seals from now on. Returns the path of its file; nil if another process has just made one.
    package func makeNext() throws(SigningError) -> String? {
        let file = ReceiptSecretFile(folder: directory, number: (numbers.last ?? 0) + 1)
        return try file.create() ? file.path : nil
    }

    private var numbers: [Int] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        return Set(names.compactMap(ReceiptSecretFile.number)).sorted()
    }
}
