import OfferSigning

/// The numbered fields of a receipt, or of a purchase in one: a SET of SEQUENCEs of number, version and value.
struct ReceiptFields {
    /// A receipt has some two dozen, and one for each purchase.
    private static let maxCount = 50_000

    private var fields: [(number: Int64, value: ArraySlice<UInt8>)] = []

    /// Nil if the bytes are anything else, or have more than 50,000 fields.
    init?(_ bytes: ArraySlice<UInt8>) {
        guard let set = ASN1Element(bytes), set.tag == ASN1Element.Tag.set else { return nil }
        var rest = set.content
        while !rest.isEmpty {
            guard let sequence = ASN1Element(takenFrom: &rest), sequence.tag == ASN1Element.Tag.sequence else { return nil }
            var parts = sequence.content
            guard let number = ASN1Element(takenFrom: &parts)?.integer, ASN1Element(takenFrom: &parts) != nil,
                let value = ASN1Element(takenFrom: &parts), value.tag == ASN1Element.Tag.octetString,
                fields.count < Self.maxCount
            else { return nil }
            fields.append((number, value.content))
        }
    }

    /// A text that is not empty.
    func text(_ number: Int64) -> String? { element(number)?.text }

    /// A whole number from 0 on.
    func integer(_ number: Int64) -> Int64? { element(number)?.integer }

    /// The values of a field that repeats.
    func all(_ number: Int64) -> [ArraySlice<UInt8>] { fields.filter { $0.number == number }.map(\.value) }

    private func element(_ number: Int64) -> ASN1Element? {
        fields.first { $0.number == number }.flatMap { ASN1Element($0.value) }
    }
}
