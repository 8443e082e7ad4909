import ArgumentParser
import OfferHTTP
import OfferService
import OfferSigning
import OfferStore
import WireText

/// Commands about the audit log.
struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Verify the audit log, export it, show its head, give it another key.",
        discussion: "The service may be running meanwhile.",
        subcommands: [Verify.self, Export.self, Head.self, RotateKey.self, ReplaceLostKey.self, Erase.self]
    )

    /// Checks every row and every seal.
    struct Verify: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Find any row of the audit log that was changed, removed, reordered or inserted, and name the first.",
            discussion:
                "Exits with 0 only if nothing was found; with 2 if nothing was found, but rows without seals cannot be proven."
        )

        @OptionGroup var options: ConfigurationOptions

        @Option(
            name: .customLong("public-key"),
            help: ArgumentHelp(
                "A PEM file with the public half of an audit key that you kept: only its seals count, and those of keys that it "
                    + "certified. Repeat for several. Default: the keys of the key folder.", valueName: "file"))
        var publicKeys: [String] = []

        @Option(
            name: .customLong("head"),
            help: ArgumentHelp(
                "A seal that was kept elsewhere, as audit head or a line of the log has it: it must be in the audit log. Repeat for "
                    + "several.", valueName: "file"))
        var heads: [String] = []

        @Flag(help: "Print one line of JSON.")
        var json = false

        func run() async throws {
            let tools = try AuditTools(options, isReadOnly: true)
            let keys = try publicKeys.map { file in
                guard let key = Ed25519Key.publicKey(pem: Array(try TextFile.read(file, for: "--public-key").utf8)) else {
                    throw CommandRefusal("--public-key: \(file) holds no Ed25519 public key in PEM")
                }
                return key
            }
            let seals = try heads.flatMap { try AuditTools.seals(in: try TextFile.read($0, for: "--head")) }
            if !heads.isEmpty, seals.isEmpty {
                throw CommandRefusal("--head: there is no seal in \(heads.joined(separator: ", "))")
            }
            let verdict = try await tools.log.verify(publicKeys: keys.isEmpty ? nil : keys, heads: seals)
            print(lines: json ? String(decoding: AuditJSON.verdict(verdict).bytes, as: UTF8.self) : verdict.text)
            try tools.store.file.close()
            if !verdict.isIntact { throw ExitCode(1) }
            if !verdict.isProven { throw ExitCode(2) }
        }
    }

    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the whole audit log as JSON Lines: chains, rows with their links, seals.",
            discussion: "docs/audit.md says how to check it without this program."
        )

        @OptionGroup var options: ConfigurationOptions

        func run() async throws {
            let tools = try AuditTools(options, isReadOnly: true)
            try await tools.store.audit.export { try StandardOutput.write(line: $0) }
            try tools.store.file.close()
        }
    }

    struct Head: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the latest seal: a checkpoint to keep elsewhere, or to have co-signed."
        )

        @OptionGroup var options: ConfigurationOptions

        func run() async throws {
            let tools = try AuditTools(options, isReadOnly: true)
            let head = try await tools.log.head()
            try tools.store.file.close()
            guard let head else { throw CommandRefusal("nothing of the audit log is sealed yet") }
            print(lines: head, terminator: "")
        }
    }

    struct Erase: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "Remove a customer's ids from signatures, refusals and events of an app, and remove their receipts. The log still verifies.",
            discussion: "Reads ids from standard input, one a line: your id of the customer, appAccountToken, transaction ids."
        )

        @OptionGroup var options: ConfigurationOptions

        @Option(name: .customLong("app"), help: ArgumentHelp("The app.", valueName: "bundle id"))
        var bundleID: String

        func run() async throws {
            let configuration = try options.load()
            var ids: Set<String> = []
            while let line = readLine() { ids.insert(line) }
            ids.remove("")
            guard !ids.isEmpty else { throw CommandRefusal("there is no id on standard input") }
            let store = try configuration.openStore(onWait: StandardError.note)
            let desk = store.customerDesk(configuration, configuration.auditLog(of: store.signing), system: .live)
            let (rows, receipts) = try await desk.eraseNames(ids, bundleID: bundleID, by: .commandLine)
            try store.purchases.file.close()
            try await store.signing.closeSealed(configuration)
            print("erased from \(rows) rows" + (receipts > 0 ? "; removed \(receipts) receipts" : ""))
        }
    }

    struct RotateKey: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rotate-key",
            abstract: "Make an audit key, certified by a seal of the one before it. Running services seal with it from then on.",
            discussion: "Keep the old file: the public half in it proves the old seals."
        )

        @OptionGroup var options: ConfigurationOptions

        func run() async throws {
            let tools = try AuditTools(options)
            print("made \(try await tools.rotate())")
            try tools.store.file.close()
        }
    }

    struct ReplaceLostKey: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "replace-lost-key",
            abstract: "Have the key folder's audit key seal behind seals of a key that was lost.",
            discussion:
                "An attacker who could write the store since the last seal could have changed it. Compare the printed seal with the last one "
                + "in logs that were shipped off this machine."
        )

        @OptionGroup var options: ConfigurationOptions

        @Option(help: "Why, for the audit log.")
        var reason: String

        func run() async throws {
            let tools = try AuditTools(options)
            let seal = try await tools.replaceLostKey(reason: reason)
            try tools.store.file.close()
            print(lines: "sealed behind this seal, whose key is not here:\n\n\(seal)", terminator: "")
        }
    }
}
