import AppStore
import EligibilityRules
import FoundationEssentials
import Logging
import OfferHTTP
import OfferService

extension ServiceConfiguration {
    /// The file that is read if none is named.
    static let defaultFile = "offersigner.yaml"

    /// Loads the named files, or the default one if it exists, and the environment variables.
    static func load(files: [String]) throws -> ServiceConfiguration {
        try read(files) { try ServiceConfiguration(ConfigurationTree(files: $0, variables: $1)) }
    }

    /// Loads the same configuration, but returns it before its values are interpreted.
    ///
    /// - Parameter isOptional: whether the configuration may be missing.
    static func tree(files: [String], isOptional: Bool = false) throws -> ConfigurationTree {
        try read(files, isOptional: isOptional) { try ConfigurationTree(files: $0, variables: $1) }
    }

    /// Calls `make` with the files and the environment variables. Adds the file and the line to each problem that it throws.
    private static func read<Value>(
        _ files: [String],
        isOptional: Bool = false,
        _ make: ([(name: String, yaml: String)], [String: String]) throws -> Value
    ) throws -> Value {
        let names = files.isEmpty && TextFile.exists(defaultFile) ? [defaultFile] : files
        let texts = try names.map { (name: $0, yaml: try TextFile.read($0)) }
        let variables = ProcessInfo.processInfo.environment
        guard isOptional || !texts.isEmpty || variables.keys.contains(where: { $0.hasPrefix("OFFERSIGNER_") }) else {
            let folder = FileManager.default.currentDirectoryPath
            throw ConfigurationError("there is no \(defaultFile) in \(folder); name a file with --config")
        }
        do { return try make(texts, variables) } catch let error as ConfigurationError {
            let places = ConfigurationPlaces(texts, variables: variables)
            throw ConfigurationError(error.problems.map(places.located))
        }
    }

    init(_ tree: ConfigurationTree) throws(ConfigurationError) {
        var problems: [String] = []
        environment = Environment(rawValue: tree.text("environment")!)!
        http = HTTP(tree, &problems)
        console = Console(
            idleMinutes: tree.integer("console.idleMinutes")!, maxHours: tree.integer("console.maxHours")!,
            proxySignIn: ProxySignIn(tree, &problems))
        metrics = tree.integer("metrics.port").map { Address(host: tree.text("metrics.host")!, port: Int($0)) }
        store = StoreLocation(tree)
        requiresSynchronousStandby = tree.text("store.requireSynchronousStandby") == "true"
        if requiresSynchronousStandby, store.files != nil {
            problems.append("store.requireSynchronousStandby is for a database: name it in store.postgresql, or leave it out")
        }
        positionFile = tree.text("store.positionFile")
        if positionFile != nil, store.files != nil {
            problems.append("store.positionFile is for a database: files have it in …-lock beside them; leave it out")
        }
        retentionHours = tree.integer("ledger.retentionHours")!
        notificationRetentionHours = tree.integer("notifications.retentionHours")!
        maxClockAhead = tree.integer("clock.mostAhead")! * 1000
        auditSealSeconds = tree.integer("audit.sealSeconds")!
        auditVerifyPercent = tree.integer("audit.verifyPercent")!
        keys = try KeySource(tree, &problems)
        settings = tree.settings
        catalogue = try Self.catalogueStatement(tree)
        noncePeriodMinutes = tree.integer("nonces.periodMinutes")!
        accessKeyRate = RateLimit(
            requestsPerSecond: tree.integer("limits.requestsPerSecond")!, burst: tree.integer("limits.burst")!)
        bodyMegabytes = Int(tree.integer("limits.bodyMegabytes")!)
        endUserRate = RateLimit(
            requestsPerMinute: tree.integer("limits.endUsers.requestsPerMinute")!,
            burst: tree.integer("limits.endUsers.burst")!)
        logLevel = Logger.Level(rawValue: tree.text("logging.level")!)!
        offerLines = LoggedOffers(rawValue: tree.text("logging.signatures")!)!
        appStore = AppStoreEndpoints(tree)
        rootFiles = tree.texts("appStore.roots")
        pollSeconds = tree.integer("appStore.pollSeconds")!
        catchUpSeconds = tree.integer("appStore.catchUpSeconds")!
        lapsedRefreshHours = tree.integer("appStore.lapsedRefreshHours")!
        currencies = CurrencyTable(tree, &problems)
        apps = Self.apps(tree, isProduction: environment == .production, &problems)
        events = EventsConfiguration(tree, bundleIDs: Set(apps.map(\.bundleID)), &problems)
        for file in rootFiles where !TextFile.exists(file) {
            problems.append("appStore.roots: \(file) does not exist")
        }
        if environment == .production, http.tls == nil, !http.tlsEndsInProxy, !http.isLoopback {
            problems.append(
                "http.host: production does not speak plain HTTP on \(http.host); "
                    + "give http.tls, or set http.tlsEndsInProxy if a proxy in front ends TLS")
        }
        for (path, text) in appStore.all + [("connectAPI", tree.text("appStore.connectAPI")!)] {
            let url = URL(string: text)
            let schemes = environment == .production ? ["https"] : ["https", "http"]
            guard let scheme = url?.scheme?.lowercased(), schemes.contains(scheme), url?.host?.isEmpty == false else {
                let wanted = schemes.map { "\($0)://" }.joined(separator: " or ")
                problems.append("appStore.\(path): must be a URL that begins with \(wanted) in \(environment.rawValue)")
                continue
            }
        }
        if let metrics, metrics.port != 0, metrics.port == http.port,
            metrics.host == http.host || [metrics.host, http.host].contains(where: ["0.0.0.0", "::"].contains)
        {
            problems.append("metrics.port: \(metrics.port) is http.port, too")
        }
        guard problems.isEmpty else { throw ConfigurationError(problems) }
    }
}

extension ServiceConfiguration {
    private static func apps(_ tree: ConfigurationTree, isProduction: Bool, _ problems: inout [String]) -> [AppConfiguration] {
        var apps: [AppConfiguration] = []
        if case .list(let nodes)? = tree.root["apps"] {
            for (index, node) in nodes.enumerated() {
                apps.append(AppConfiguration(node, path: "apps[\(index)]", &problems))
            }
        }
        if apps.isEmpty { problems.append("apps: there is no app to sign for; offersigner.example.yaml shows how one looks") }
        check(apps, isProduction: isProduction, &problems)
        return apps
    }

    /// Checks the token issuers of all apps. No issuer may have two sets of keys.
    private static func check(_ apps: [AppConfiguration], isProduction: Bool, _ problems: inout [String]) {
        for (index, app) in apps.enumerated() {
            guard let tokens = app.endUserTokens else { continue }
            let path = "apps[\(index)].endUserTokens"
            if let fault = tokens.fault(isProduction: isProduction) { problems.append("\(path).jwks.url: \(fault)") }
            for (other, first) in apps[..<index].enumerated() {
                guard let earlier = first.endUserTokens, earlier.issuer == tokens.issuer, !earlier.isSameIssuer(as: tokens)
                else { continue }
                problems.append(
                    "\(path): apps[\(other)] has the same issuer and says something else of it; only audiences may differ")
            }
        }
    }
}

extension ServiceConfiguration.HTTP {
    fileprivate init(_ tree: ConfigurationTree, _ problems: inout [String]) {
        host = tree.text("http.host")!
        port = Int(tree.integer("http.port")!)
        eventLoops = Int(tree.integer("http.eventLoops")!)
        idleTimeoutSeconds = tree.integer("http.idleTimeoutSeconds")!
        connections = Int(tree.integer("http.connections")!)
        connectionsPerAddress = Int(tree.integer("http.connectionsPerAddress")!)
        proxies = tree.addressRanges("http.proxies", &problems)
        tlsEndsInProxy = tree.text("http.tlsEndsInProxy") == "true"
        tls = ServiceConfiguration.TLS(tree, &problems)
    }

    fileprivate var isLoopback: Bool {
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        return host == "localhost" || host == "::1" || (numbers.count == 4 && !numbers.contains(nil) && numbers[0] == 127)
    }
}

extension KeySource {
    fileprivate init(_ tree: ConfigurationTree, _ problems: inout [String]) throws(ConfigurationError) {
        directory = tree.text("keys.directory")!
        passphrase = try tree.secret("keys.passphrase")
        switch (tree.text("keys.id"), tree.text("keys.pem")) {
        case (let id?, let pem?): inline = Inline(id: id, pem: pem)
        case (nil, nil): inline = nil
        default:
            inline = nil
            problems.append("keys: id and pem belong together")
        }
    }
}

extension AppStoreEndpoints {
    fileprivate var all: [(path: String, url: String)] {
        [
            ("verifyReceipt.production", verifyReceipt.production), ("verifyReceipt.sandbox", verifyReceipt.sandbox),
            ("serverAPI.production", serverAPI.production), ("serverAPI.sandbox", serverAPI.sandbox),
        ]
    }

    fileprivate init(_ tree: ConfigurationTree) {
        func pair(_ path: String) -> Pair {
            Pair(production: tree.text("\(path).production")!, sandbox: tree.text("\(path).sandbox")!)
        }
        self.init(verifyReceipt: pair("appStore.verifyReceipt"), serverAPI: pair("appStore.serverAPI"))
    }
}
