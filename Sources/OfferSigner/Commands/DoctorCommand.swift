import AppStore
import AppStoreClient
import ArgumentParser
import OfferService
import OfferSigning
import OfferStore
import WireText

/// Looks for the usual obstacles of a first integration, on this machine and with requests to the App Store.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Ask the App Store whether it accepts the key and reaches the service, and say what to do if not.",
        discussion: """
            Asks the App Store Server API, where possible, for a TEST notification, and waits for it: let the service
            run meanwhile. Exits with 1 if something does not work. Run check-config first.
            """
    )

    @OptionGroup var options: ConfigurationOptions

    @Option(name: .customLong("app"), help: ArgumentHelp("One app. Default: all.", valueName: "bundle id"))
    var bundleID: String?

    @Option(help: ArgumentHelp("How long to wait for a test notification, in seconds.", valueName: "seconds"))
    var wait = 30

    @Flag(help: "Print the findings as one line of JSON.")
    var json = false

    func run() async throws {
        let door = try CommandDoor(options)
        let (configuration, apps) = (door.configuration, door.apps)
        if let bundleID { _ = try apps.app(named: bundleID, for: .commandLine) }
        let keys = try await door.signingKeys(for: .look)
        let purchases = try configuration.openPurchaseStore(onWait: StandardError.note)
        let appStore = AppStoreAccess(
            configuration, apps: apps, keys: keys, purchases: purchases,
            transport: HTTPClientTransport(), system: .live)
        var reports: [(App, [DoctorFinding])] = []
        for app in apps.partitions where bundleID.map({ $0 == app.bundleID }) ?? true {
            let key = keys.current.active(for: app.bundleID)
            let doctor = AppDoctor(
                app, serverAPI: key?.signsLater == true ? nil : appStore.serverAPIs[app.bundleID], activeKeyID: key?.id,
                lock: keys.locks.first { $0.bundleID == app.bundleID },
                histories: purchases.histories, reader: try SignedDataReader(configuration, system: .live), system: .live,
                wait: .seconds(wait))
            reports.append((app, try await doctor.examine()))
        }
        try door.closeUnchanged()
        try purchases.file.close()
        if json { print(Self.json(reports)) } else { for line in reports.flatMap(Self.lines) { print(line) } }
        if reports.contains(where: { $0.1.contains { $0.state == .problem } }) { throw ExitCode(1) }
    }

    private static func lines(_ app: App, _ findings: [DoctorFinding]) -> [String] {
        ["\(app.bundleID), \(app.environmentName)"]
            + findings.flatMap { finding in
                ["  \(finding.state.word.padded(9))\(finding.text)"] + (finding.remedy.map { ["           → \($0)"] } ?? [])
            } + [""]
    }

    private static func json(_ reports: [(App, [DoctorFinding])]) -> String {
        let bytes = JSONWriter.bytes { json in
            json.append(raw: #"{"apps":["#)
            for (index, (app, findings)) in reports.enumerated() {
                json.append(raw: index == 0 ? #"{"bundleId":"# : #",{"bundleId":"#)
                json.append(app.bundleID)
                json.append(raw: #","environment":"#)
                json.append(app.environmentName)
                json.append(raw: #","findings":["#)
                for (index, finding) in findings.enumerated() { append(finding, isFirst: index == 0, to: &json) }
                json.append(raw: "]}")
            }
            json.append(raw: "]}")
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func append(_ finding: DoctorFinding, isFirst: Bool, to json: inout JSONWriter) {
        json.append(raw: isFirst ? #"{"subject":"# : #",{"subject":"#)
        json.append(finding.subject)
        json.append(raw: #","state":"#)
        json.append(finding.state.rawValue)
        json.append(raw: #","text":"#)
        json.append(finding.text)
        if let remedy = finding.remedy {
            json.append(raw: #","remedy":"#)
            json.append(remedy)
        }
        json.append(raw: "}")
    }
}

extension DoctorFinding.State {
    /// The word that the command prints for the state.
    fileprivate var word: String {
        switch self {
        case .good: "ok"
        case .warning: "warning"
        case .problem: "PROBLEM"
        case .skipped: "–"
        }
    }
}
