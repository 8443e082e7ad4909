import OfferHTTP

extension ConfigurationTree {
    /// Returns the addresses and ranges of a list. Records invalid ones as problems.
    func addressRanges(_ path: String, _ problems: inout [String]) -> [AddressRange] {
        texts(path).compactMap { text in
            let range = AddressRange(text)
            if range == nil {
                problems.append(
                    "\(path): \(text) is no IP address and no range of them, such as 10.1.0.0/16, that leaves somebody out")
            }
            return range
        }
    }
}
