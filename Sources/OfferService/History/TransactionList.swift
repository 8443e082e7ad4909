import WireText

/// A list that has a transaction id of each customer: JSON Lines, or CSV whose first line names the columns.
package struct TransactionList: Sendable {
    struct Entry: Equatable {
        let customerID: String
        let transactionID: String
    }

    /// The names of the two columns, or of the two fields of an object.
    package struct Names: Sendable {
        package var customer = "customerId"
        package var transaction = "transactionId"

        package init(customer: String? = nil, transaction: String? = nil) {
            if let customer { self.customer = customer }
            if let transaction { self.transaction = transaction }
        }
    }

    // Spreadsheet programs write it at the beginning of a file.
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    private static let separators = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]

    private let names: Names
    /// What separates the fields, and the positions of the two columns; nil for JSON Lines.
    private let columns: (separator: UInt8, customer: Int, transaction: Int)?
    /// The number of the first line that is not empty.
    private let firstLine: Int

    /// Reads the first line of a file that is not empty. Throws if the line is a header of CSV that lacks one of the columns.
    package init(at path: String, names: Names = Names()) throws {
        var reader = try LineReader(path: path, offset: 0, line: 1, maxLines: 1)
        while let batch = try reader.next() {
            guard let line = batch.lines.first, !Self.isEmpty(line) else { continue }
            self = try TransactionList(firstLine: line, number: batch.firstLine, names: names)
            return
        }
        self = try TransactionList(firstLine: [], names: names)
    }

    init(firstLine line: ArraySlice<UInt8>, number: Int = 1, names: Names = Names()) throws(FileError) {
        self.names = names
        firstLine = number
        let line = Self.withoutMark(line)
        guard let first = line.first(where: { $0 > 0x20 }), first != UInt8(ascii: "{") else {
            columns = nil
            return
        }
        for separator in Self.separators {
            let header = Self.fields(of: line, separator) ?? []
            if let customer = header.firstIndex(of: names.customer), let transaction = header.firstIndex(of: names.transaction) {
                columns = (separator, customer, transaction)
                return
            }
        }
        let header = String(decoding: line.prefix(500), as: UTF8.self).trimmed
        throw FileError("the first line has no columns \(names.customer) and \(names.transaction): \(header)")
    }

    /// Whether a line says nothing: an empty one, or the header.
    func isSkipped(_ line: ArraySlice<UInt8>, number: Int) -> Bool {
        Self.isEmpty(line) || (number == firstLine && columns != nil)
    }

    private static func isEmpty(_ line: ArraySlice<UInt8>) -> Bool { withoutMark(line).allSatisfy { $0 <= 0x20 } }

    private static func withoutMark(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        line.starts(with: byteOrderMark) ? line.dropFirst(byteOrderMark.count) : line
    }

    /// Reads a line. Throws if it cannot be used.
    func entry(_ line: ArraySlice<UInt8>) throws(ImportLine.Rejection) -> Entry {
        let (customer, transaction) = try values(line)
        if let fault = Identifier.fault(of: customer) {
            throw ImportLine.Rejection(code: "invalid-field", detail: "\(names.customer) \(fault)")
        }
        if let fault = Identifier.fault(ofTransactionID: transaction) {
            throw ImportLine.Rejection(code: "invalid-field", detail: "\(names.transaction) \(fault)")
        }
        return Entry(customerID: customer, transactionID: transaction)
    }

    private func values(_ line: ArraySlice<UInt8>) throws(ImportLine.Rejection) -> (customer: String, transaction: String) {
        if let columns {
            guard let fields = Self.fields(of: line, columns.separator), fields.count > max(columns.customer, columns.transaction)
            else {
                throw ImportLine.Rejection(
                    code: "malformed-csv", detail: "a quotation mark or a field is missing, or it is not UTF-8")
            }
            return (fields[columns.customer], fields[columns.transaction])
        }
        let value: JSONValue
        do throws(JSONParser.Fault) { value = try JSONValue(parsing: Array(Self.withoutMark(line))) } catch {
            throw ImportLine.Rejection(code: "malformed-json", detail: "not JSON at byte \(error.offset): \(error.reason)")
        }
        func text(_ name: String) throws(ImportLine.Rejection) -> String {
            guard case .string(let text)? = value.member(name) else {
                throw ImportLine.Rejection(code: "invalid-field", detail: "\(name) must be a string")
            }
            return text
        }
        return (try text(names.customer), try text(names.transaction))
    }

    /// Returns the fields of a line of CSV (RFC 4180) in UTF-8, without spaces around them; nil if it is none. A field cannot contain
    /// a line end.
    private static func fields(of line: ArraySlice<UInt8>, _ separator: UInt8) -> [String]? {
        let quote = UInt8(ascii: "\"")
        guard String(validating: line, as: UTF8.self) != nil else { return nil }
        var fields: [String] = []
        var field: [UInt8] = []
        var isQuoted = false
        var rest = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
        while let byte = rest.popFirst() {
            switch byte {
            case quote where isQuoted && rest.first == quote: field.append(rest.removeFirst())
            case quote: isQuoted.toggle()
            case separator where !isQuoted:
                fields.append(String(decoding: field, as: UTF8.self).trimmed)
                field = []
            default: field.append(byte)
            }
        }
        return isQuoted ? nil : fields + [String(decoding: field, as: UTF8.self).trimmed]
    }
}
