package import OfferService

/// The use cases about signing keys and replicas.
package struct KeyUseCases: Sendable {
    let administration: KeyAdministration
    let ring: CurrentKeyRing
    let canary: KeyCanary
    let replicas: ReplicaDesk

    package init(administration: KeyAdministration, ring: CurrentKeyRing, canary: KeyCanary, replicas: ReplicaDesk) {
        self.administration = administration
        self.ring = ring
        self.canary = canary
        self.replicas = replicas
    }
}
