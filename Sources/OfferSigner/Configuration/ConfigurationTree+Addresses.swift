import OfferHTTP

extension ConfigurationTree {
    /// Returns the addresses and ranges of a list. Records invalid ones as problems.
    func addressRanges(_ path: String, _ problems: inout [String]) -> [AddressRange] {
        texts(path).compactMap { text in
            let range = AddressRange(text)
            if range == nil {
                problems.append(
                    "\(path): \(text) is not an IP address or a range such as 10.1.0.0/16; a range of all addresses is refused")
            }
            return range
        }
    }
}
