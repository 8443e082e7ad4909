import OfferHTTP

extension ProxySignIn {
    /// Reads `console.proxySignIn`; nil if nothing is set. Records missing and conflicting values as problems.
    init?(_ tree: ConfigurationTree, _ problems: inout [String]) {
        let path = "console.proxySignIn"
        guard let node = tree.root["console"]?["proxySignIn"] else { return nil }
        let addresses = tree.addressRanges("\(path).addresses", &problems)
        if tree.texts("\(path).addresses").isEmpty {
            problems.append("\(path).addresses: is missing; give the addresses that the proxy connects from")
        }
        let header = tree.text("\(path).header")!
        if !Self.isHeader(header) { problems.append("\(path).header: \(header) cannot be used as this header") }
        let people = node.list("people")
        if people.isEmpty {
            problems.append("\(path).people: is missing; name who may sign in, and each person's access key")
        }
        var accessIDs: [String: String] = [:]
        for (index, person) in people.enumerated() {
            let place = "\(path).people[\(index)]"
            guard let name = person.text("name"), let id = person.text("accessKey") else {
                problems.append("\(place): needs name and accessKey")
                continue
            }
            if !Self.isName(name) { problems.append("\(place).name: must have 1 to 254 visible ASCII characters and no space") }
            // The error does not repeat the value, which may be a whole access key.
            guard id.utf8.count == 16, id.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }) else {
                problems.append("\(place).accessKey: must be the id, the 16 digits between osk_ and the next underscore, alone")
                continue
            }
            if accessIDs.updateValue(id, forKey: name) != nil { problems.append("\(path).people: \(name) appears twice") }
        }
        for id in accessIDs.values.map(\.self).repeated {
            problems.append("\(path).people: access key \(id) stands for two names; give each person their own")
        }
        self.init(addresses: addresses, header: header, accessIDs: accessIDs)
    }
}
