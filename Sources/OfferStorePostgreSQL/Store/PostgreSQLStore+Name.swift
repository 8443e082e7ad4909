import CLibPQ
public import OfferStore
import OfferStoreSQL

extension PostgreSQLStore {
    /// A name of the database without its password: host, port, database.
    public static func name(of address: String) -> String {
        guard let options = PQconninfoParse(address, nil) else { return "postgresql" }
        defer { PQconninfoFree(options) }
        func value(_ keyword: String) -> String? {
            var option = options
            while let name = option.pointee.keyword {
                if String(cString: name) == keyword { return option.pointee.val.map { String(cString: $0) } }
                option += 1
            }
            return nil
        }
        let port = value("port").map { ":\($0)" } ?? ""
        return "postgresql \(value("host") ?? value("hostaddr") ?? "")\(port)/\(value("dbname") ?? "")"
    }

    /// Throws if a connection string or URI is malformed. Does not connect.
    static func check(_ address: String) throws(StoreError) {
        var message: UnsafeMutablePointer<CChar>?
        defer { PQfreemem(message) }
        guard let options = PQconninfoParse(address, &message) else {
            let fault = message.map { String(cString: $0) } ?? "no memory"
            throw StoreError(
                .unsuitable, "the connection string of the database is wrong: \(fault.split(separator: "\n").first ?? "")")
        }
        PQconninfoFree(options)
    }

    /// Whether the database has no store yet. Throws if the database cannot be queried.
    public static func isNew(_ address: String) throws(StoreError) -> Bool {
        try check(address)
        let thread = SessionThread(address, label: "postgresql.look")
        defer { thread.close() }
        return try thread.sync { thread throws(StoreError) in
            try thread.transaction("look for the store", .snapshot) { transaction in
                try transaction.run("SELECT to_regclass('schema_version') IS NULL").first { $0.flag(0) }!
            }
        }
    }
}
