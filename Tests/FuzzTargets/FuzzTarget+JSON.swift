import WireText

extension FuzzTarget {
    /// The parser of everything that comes from outside.
    static func parseJSON(_ input: UnsafeBufferPointer<UInt8>) {
        if let value = try? JSONParser.parse(input) { Oracle.check(value) }
    }
}
