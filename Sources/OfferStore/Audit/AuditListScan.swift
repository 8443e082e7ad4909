/// Finds the texts in a JSON list of lists of texts, without decoding them.
enum AuditListScan {
    private static let (quote, escape, comma) = (UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: ","))
    private static let (open, close) = (UInt8(ascii: "["), UInt8(ascii: "]"))

    /// Splits the text. Returns false if the text is not a list of lists of texts; the caller must then discard what the
    /// callbacks received.
    ///
    /// - Parameters:
    ///   - count: how many texts of each inner list to keep.
    ///   - keep: receives each kept stretch.
    ///   - cut: receives the stretch after the kept texts, with its leading comma, and the index of its list.
    static func split(
        _ text: UnsafeRawBufferPointer,
        after count: Int,
        keep: (UnsafeRawBufferPointer) -> Void,
        cut: (UnsafeRawBufferPointer, Int) -> Void
    ) -> Bool {
        var (depth, list, element, start, position) = (0, 0, 0, 0, 0)
        var cutStart: Int?
        func part(_ start: Int, _ end: Int) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: text[start..<end]) }
        while position < text.count {
            switch text[position] {
            case quote:
                guard let end = endOfText(text, position + 1) else { return false }
                position = end
            case open:
                depth += 1
                element = 0
            case comma where depth == 2:
                element += 1
                if element == count { cutStart = position }
            case close:
                if depth == 2 {
                    if let from = cutStart {
                        keep(part(start, from))
                        cut(part(from, position), list)
                        start = position
                        cutStart = nil
                    }
                    list += 1
                }
                depth -= 1
            case comma where depth == 1: break
            default: return false
            }
            guard (0...2).contains(depth) else { return false }
            position += 1
        }
        keep(part(start, text.count))
        return depth == 0
    }

    private static func endOfText(_ text: UnsafeRawBufferPointer, _ start: Int) -> Int? {
        var position = start
        while position < text.count {
            switch text[position] {
            case quote: return position
            case escape: position += 2
            default: position += 1
            }
        }
        return nil
    }
}
