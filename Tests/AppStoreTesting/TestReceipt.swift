/// The content of a receipt: fields of number, version and value, in DER.
package struct TestReceipt {
    /// A field's value.
    package enum Value {
        case text(String)
        case date(String)
        case number(Int)
        case fields([(Int, Value)])
    }

    /// The fields, in order.
    package var fields: [(Int, Value)]

    /// A receipt of an app with some purchases.
    package init(
        type: String? = "Production",
        bundleID: String? = "com.example.app",
        createdAt: String? = "2023-06-15T00:00:00Z",
        items: [[(Int, Value)]] = []
    ) {
        let head: [(Int, Value)?] = [
            type.map { (0, .text($0)) }, bundleID.map { (2, .text($0)) }, createdAt.map { (12, .date($0)) },
        ]
        fields =
            [(3, .text("1.0")), (19, .text("1.0")), (21, .date(""))] + head.compactMap(\.self) + items.map { (17, .fields($0)) }
    }

    /// A period of a subscription, or a one-time purchase without an end. Dates are those of a receipt.
    package static func item(
        _ id: String = "1",
        original: String = "1",
        _ product: String = "pro",
        at: String,
        until: String = "",
        cancelled: String = "",
        _ more: (Int, Value)...
    ) -> [(Int, Value)] {
        // Only periods have one.
        let lineItem = until.isEmpty ? 0 : 1_000_000_052_560_000 + (Int(id) ?? 0)
        return [
            (1701, .number(1)), (1702, .text(product)), (1703, .text(id)), (1704, .date(at)), (1705, .text(original)),
            (1706, .date(at)), (1708, .date(until)), (1711, .number(lineItem)), (1712, .date(cancelled)),
        ] + more
    }

    /// The content in DER.
    package var bytes: [UInt8] { TestReceipt.encoded(.fields(fields)) }

    /// An element in DER.
    package static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        guard content.count >= 0x80 else { return [tag, UInt8(content.count)] + content }
        let length = Array(withUnsafeBytes(of: content.count.bigEndian, Array.init).drop { $0 == 0 })
        return [tag, 0x80 | UInt8(length.count)] + length + content
    }

    private static func encoded(_ value: Value) -> [UInt8] {
        switch value {
        case .text(let text): element(0x0C, Array(text.utf8))
        case .date(let text): element(0x16, Array(text.utf8))
        case .number(let number): element(0x02, [0] + withUnsafeBytes(of: number.bigEndian, Array.init).drop { $0 == 0 })
        case .fields(let fields):
            element(
                0x31,
                fields.flatMap { number, value in
                    element(0x30, encoded(.number(number)) + encoded(.number(1)) + element(0x04, encoded(value)))
                })
        }
    }
}
