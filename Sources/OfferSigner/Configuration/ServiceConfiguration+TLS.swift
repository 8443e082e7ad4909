import OfferService

extension ServiceConfiguration.TLS {
    private static let section = "http.tls"

    /// Returns nil if TLS is off. Records conflicting values as problems.
    init?(_ tree: ConfigurationTree, _ problems: inout [String]) {
        let clients = Clients(tree, &problems)
        switch (tree.text("http.tls.certificate"), tree.text("http.tls.privateKey")) {
        case (let certificate?, let key?): self.init(certificate: certificate, privateKey: key, clients: clients)
        case (nil, nil):
            // A configuration that requests certificates must not go without them because TLS is off.
            if clients != nil { problems.append("http.tls.clientCertificates: needs http.tls.certificate and privateKey") }
            return nil
        default:
            problems.append("http.tls: certificate and privateKey belong together")
            return nil
        }
    }
}

extension ServiceConfiguration.TLS.Clients {
    fileprivate init?(_ tree: ConfigurationTree, _ problems: inout [String]) {
        let section = tree.root["http"]?["tls"]
        guard let roots = tree.text("http.tls.clientCertificates") else {
            for name in ["clientCertificateMode", "clientCertificateRoles"] where section?[name] != nil {
                problems.append("http.tls.\(name): needs http.tls.clientCertificates")
            }
            return nil
        }
        var roles: Set<Role> = []
        let path = "http.tls.clientCertificateRoles"
        for name in section?["clientCertificateRoles"] == nil ? ["backend"] : tree.texts(path) {
            guard let role = Role(rawValue: name) else {
                let known = Role.allCases.map(\.rawValue).joined(separator: ", ")
                problems.append("\(path): \(name) is not a role; use one of \(known)")
                continue
            }
            roles.insert(role)
        }
        self.init(roots: roots, isRequired: tree.text("http.tls.clientCertificateMode") == "required", roles: roles)
    }
}
