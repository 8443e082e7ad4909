import ArgumentParser
import FoundationEssentials
import Glibc
import OfferSigning
import WireText

/// Writes a first configuration.
struct InitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Write a first configuration for one app, with its key, and say what to do next.",
        discussion: """
            On a terminal it asks for what the options leave open; otherwise the options must say all. It makes the configuration, \
            the key folder with keys.yaml and a copy of the key, and overwrites nothing. Run by root, it gives each file the owner \
            of its folder.
            """
    )

    @Option(help: ArgumentHelp("Key file from App Store Connect, SubscriptionKey_<KEYID>.p8; it is copied.", valueName: "file"))
    var key: String?

    @Option(help: ArgumentHelp("Key id, for a file whose name does not have it.", valueName: "id"))
    var keyID: String?

    @Option(help: ArgumentHelp("\(SetupQuestion.bundleID.text).", valueName: "id"))
    var bundleID: String?

    @Option(help: ArgumentHelp("\(SetupQuestion.issuerID.text). May be left out.", valueName: "id"))
    var issuerID: String?

    @Option(help: ArgumentHelp("\(SetupQuestion.appleID.text). May be left out.", valueName: "number"))
    var appleID: String?

    @Option(help: ArgumentHelp("\(SetupQuestion.groupID.text).", valueName: "id"))
    var groupID: String?

    @Option(help: ArgumentHelp("\(SetupQuestion.productID.text).", valueName: "id"))
    var productID: String?

    @Option(help: ArgumentHelp("\(SetupQuestion.period.text).", valueName: "period"))
    var period: String?

    @Option(help: ArgumentHelp("\(SetupQuestion.offerID.text).", valueName: "id"))
    var offerID: String?

    @Option(help: ArgumentHelp("\(SetupQuestion.offerKind.text).", valueName: "kind"))
    var offerKind: String?

    @Option(help: ArgumentHelp("\(SetupQuestion.offerPeriod.text).", valueName: "period"))
    var offerPeriod: String?

    @Option(help: ArgumentHelp("Where to write the configuration.", valueName: "file"))
    var output = ServiceConfiguration.defaultFile

    @Option(help: ArgumentHelp("The key folder, which is made if it is missing. Default: keys, beside it.", valueName: "folder"))
    var keys: String?

    @Option(help: ArgumentHelp("Where the store will be. Default: var/offersigner.sqlite, beside it.", valueName: "file"))
    var store: String?

    @Option(help: ArgumentHelp("The port on 127.0.0.1 that the service listens on.", valueName: "port"))
    var port = 8080

    func run() async throws {
        guard (1...65_535).contains(port) else { throw ValidationError("--port must be from 1 to 65535") }
        let files = SetupFiles(configuration: output, keys: keys, store: store)
        try files.checkFree()
        let isComplete = key != nil && SetupQuestion.allCases.allSatisfy { $0.isOptional || given($0) != nil }
        var dialogue = SetupDialogue(asks: !isComplete && SetupDialogue.isOnTerminal)
        let found = try signingKey(&dialogue, files)
        var content = FirstConfiguration(store: files.store, keys: files.keys, port: port)
        for question in SetupQuestion.allCases {
            content.answers[question] = try dialogue.answer(
                question.text, option: "--\(question.rawValue)", isOptional: question.isOptional, given: given(question)
            ) { [content] in content.fault(of: $0, to: question) }
        }
        guard let found, dialogue.faults.isEmpty else { throw ValidationError(dialogue.faults.joined(separator: "\n")) }
        try content.check()
        let written = try files.write(content, found.key, from: found.file)
        print("made \(written.joined(separator: ", "))")
        print("key \(found.key.id) signs; the service reads its copy: keep \(found.file.path) in a safe place, or destroy it")
        print("")
        print(lines: NextSteps(files: files, configuration: content).text)
    }

    private func given(_ question: SetupQuestion) -> String? {
        switch question {
        case .bundleID: bundleID
        case .issuerID: issuerID
        case .appleID: appleID
        case .groupID: groupID
        case .productID: productID
        case .period: period
        case .offerID: offerID
        case .offerKind: offerKind
        case .offerPeriod: offerPeriod
        }
    }

    /// Returns the key, loaded and tested as the service does it; nil if an option is wrong and the command cannot ask.
    private func signingKey(_ dialogue: inout SetupDialogue, _ files: SetupFiles) throws -> (key: SigningKey, file: KeyFile)? {
        var found: (key: SigningKey, file: KeyFile)?
        let text = "Key file from App Store Connect, SubscriptionKey_<KEYID>.p8"
        _ = try dialogue.answer(text, option: "--key", given: key) { path in
            // A shell expands `~/` in an option, but not in an answer that is typed here.
            let home = ProcessInfo.processInfo.environment["HOME"]
            let file = KeyFile(path: path.hasPrefix("~/") ? (home ?? "~") + path.dropFirst() : path)
            do throws(SigningError) {
                let key = try file.load(id: keyID, passphrase: nil, slots: 1)
                if key.fingerprint == KeyFolder.exampleFingerprint {
                    return "this is the published example key; App Store Connect makes yours under Users and Access, Integrations"
                }
                found = (key, file)
                return files.objection(to: key)
            } catch {
                return error.code == .idMissing ? "\(error.detail), or give --key-id" : error.detail
            }
        }
        return found
    }
}

/// Takes the answers from options and, on a terminal, from the person who uses it.
struct SetupDialogue {
    /// Whether the dialogue asks for missing and wrong answers.
    let asks: Bool
    /// The faults of options, one sentence each. There are none if the dialogue asks instead.
    private(set) var faults: [String] = []

    init(asks: Bool) { self.asks = asks }

    /// Whether a person can answer.
    static var isOnTerminal: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

    /// Returns the answer to a question; nil if it is left out, or if it is wrong and the dialogue does not ask.
    ///
    /// - Parameters:
    ///   - given: the option's value; nil if the option is not given.
    ///   - fault: returns the reason why an answer cannot be used, with the remedy.
    mutating func answer(
        _ text: String,
        option: String,
        isOptional: Bool = false,
        given: String?,
        fault: (String) -> String?
    ) throws -> String? {
        if let given {
            guard let reason = fault(given) else { return given }
            guard note(option, reason) else { return nil }
        } else if !asks {
            if !isOptional { faults.append("\(option) is missing: \(text)") }
            return nil
        }
        while true {
            StandardError.write(lines: "\(text)\(isOptional ? " (Enter: leave it out)" : ""): ")
            guard let line = readLine() else { throw CommandRefusal("the input ended; nothing was written") }
            let answer = line.trimmed
            if answer.isEmpty, isOptional { return nil }
            guard let reason = answer.isEmpty ? "an answer is needed" : fault(answer) else { return answer }
            StandardError.note("  \(reason)")
        }
    }

    /// Reports a wrong option. Returns whether the dialogue asks for the answer instead.
    private mutating func note(_ option: String, _ reason: String) -> Bool {
        if asks { StandardError.note("\(option): \(reason)") } else { faults.append("\(option): \(reason)") }
        return asks
    }
}
