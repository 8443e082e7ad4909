public import EligibilityRules
import WireText

/// The content of a seal: the positions of chains, and the previous seal.
public struct AuditSeal: Equatable, Sendable {
    /// The position of a chain.
    public struct Head: Equatable, Sendable {
        /// The chain's table.
        public let table: AuditTable
        /// The chain's id.
        public let chain: [UInt8]
        /// Where the chain ended when it was sealed; in `removed`, the last row that retention had removed from it.
        public let position: AuditPosition
    }

    /// The seal's number, from 1.
    public let number: Int64
    /// SHA-256 of the whole previous seal; nil for the first.
    public let previous: AuditLink?
    /// When the seal was created.
    public let sealedAt: Instant
    /// Id of the process that created the seal.
    public let writer: [UInt8]
    /// Number of rows sealed so far, in all chains.
    public let rows: Int64
    /// The positions of those chains of the sealing process that have new rows.
    public let heads: [Head]
    /// For each chain that retention has shortened since the process's previous seal, the last row that was removed.
    ///
    /// The first seal of a log states this for all chains.
    public let removed: [Head]
    /// Where tables begin; empty unless `removed` has entries, or this is the first seal of the log.
    public let marks: [AuditTableMark]
    /// Public keys that may sign from now on, each of 32 bytes.
    public let newKeys: [[UInt8]]
}

// The signed text has the form of a C2SP tlog-checkpoint. Its extension lines contain the values of the seal.
extension AuditSeal {
    private static let rootVersion = Array("offersigner audit seal 1\n".utf8)

    /// The text, which ends with a line feed.
    ///
    /// - Parameter origin: the log's unique name.
    package func text(origin: String, _ functions: AuditFunctions) -> String {
        let root = Self.root(of: extensionLines, functions)
        return ([origin, "\(rows)", Base64.encode(root.bytes)] + extensionLines).map { "\($0)\n" }.joined()
    }

    /// The checkpoint's root hash: SHA-256 of all extension lines, which include the previous seal.
    private static func root(of lines: [some StringProtocol], _ functions: AuditFunctions) -> AuditLink {
        functions.link(of: rootVersion + lines.flatMap { Array($0.utf8) + [10] })
    }

    private var extensionLines: [String] {
        var lines = ["seal \(number)"]
        if let previous { lines.append("previous \(Base64.encode(previous.bytes))") }
        lines += ["time \(sealedAt.milliseconds)", "writer \(Hexadecimal.encode(writer))"]
        lines += heads.map { "head \($0.line)" } + removed.map { "removed \($0.line)" }
        lines += marks.map { "table \($0.table.rawValue) \($0.removed)" }
        return lines + newKeys.map { "key \(Base64.encode($0))" }
    }

    /// Reads the number from the note of a seal that this process has just made. The note is therefore not checked.
    package static func number(in note: String) -> Int64 {
        let line = note.split(separator: "\n").first { $0.hasPrefix("seal ") }
        return line.flatMap { Int64($0.dropFirst("seal ".count)) } ?? 0
    }

    /// Parses the text; nil if it is not a seal of this log.
    package init?(text: String, origin: String, _ functions: AuditFunctions) {
        guard text.hasSuffix("\n") else { return nil }
        let lines = text.dropLast().split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count > 5, lines[0] == origin, let rows = Int64(lines[1]),
            lines[2] == Base64.encode(Self.root(of: Array(lines.dropFirst(3)), functions).bytes)
        else { return nil }
        var facts = Facts()
        for line in lines.dropFirst(3) {
            guard facts.take(line.split(separator: " ", omittingEmptySubsequences: false)) else { return nil }
        }
        guard let number = facts.number, let sealedAt = facts.sealedAt, let writer = facts.writer else { return nil }
        self.init(
            number: number, previous: facts.previous, sealedAt: sealedAt, writer: writer, rows: rows, heads: facts.heads,
            removed: facts.removed, marks: facts.marks, newKeys: facts.newKeys)
    }

    private struct Facts {
        var number: Int64?
        var previous: AuditLink?
        var sealedAt: Instant?
        var writer: [UInt8]?
        var heads: [Head] = []
        var removed: [Head] = []
        var marks: [AuditTableMark] = []
        var newKeys: [[UInt8]] = []

        /// Returns false for an unknown line.
        mutating func take(_ words: [Substring]) -> Bool {
            guard words.count >= 2 else { return false }
            switch words[0] {
            case "seal": number = Int64(words[1])
            case "previous": previous = Base64.decode(words[1].utf8).flatMap { AuditLink($0) }
            case "time": sealedAt = Int64(words[1]).map { Instant(milliseconds: $0) }
            case "writer": writer = Hexadecimal.decode(words[1])
            case "head":
                guard let head = Head(words.dropFirst()) else { return false }
                heads.append(head)
            case "removed":
                guard let head = Head(words.dropFirst()) else { return false }
                removed.append(head)
            case "table":
                guard words.count == 3, let table = AuditTable(rawValue: String(words[1])), let removed = Int64(words[2])
                else { return false }
                marks.append(AuditTableMark(table: table, removed: removed))
            case "key":
                guard let key = Base64.decode(words[1].utf8) else { return false }
                newKeys.append(key)
            default: return false
            }
            return true
        }
    }
}

extension AuditSeal.Head {
    fileprivate var line: String {
        "\(table.rawValue) \(Hexadecimal.encode(chain)) \(position.rows) \(position.lastRow) \(Base64.encode(position.link.bytes))"
    }

    fileprivate init?(_ words: ArraySlice<Substring>) {
        let words = Array(words)
        guard words.count == 5, let table = AuditTable(rawValue: String(words[0])), let chain = Hexadecimal.decode(words[1]),
            let rows = Int64(words[2]), let lastRow = Int64(words[3]),
            let link = Base64.decode(words[4].utf8).flatMap({ AuditLink($0) })
        else { return nil }
        self.init(table: table, chain: chain, position: AuditPosition(rows: rows, lastRow: lastRow, link: link))
    }
}
