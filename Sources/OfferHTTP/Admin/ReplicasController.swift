import OfferService
import WireText

/// `/v1/admin/replicas`: the processes that serve the store.
struct ReplicasController: Sendable {
    let desk: ReplicaDesk

    var routes: [OperationRoute] {
        [
            OperationRoute(.listReplicas) { request in
                let page = try ListPage(request.query(ListPage.parameters))
                return try page.json(of: try await desk.comparisons(), id: \.id) {
                    Self.replica($0, showsKeys: request.caller.apps == nil)
                }
                .asResponse()
            }
        ]
    }

    /// - Parameter showsKeys: whether the caller may see the keys of every app.
    private static func replica(_ replica: ReplicaComparison, showsKeys: Bool) -> JSONValue {
        .members([
            "id": .string(replica.id), "address": .string(replica.address), "version": .string(replica.version),
            "startedAt": .instant(replica.startedAt), "lastHeartbeatAt": .instant(replica.lastHeartbeatAt),
            "alive": .bool(replica.isAlive), "configurationDigest": .string(replica.configurationDigest),
            "keys": .array(
                (showsKeys ? replica.keys : []).map {
                    .members(["keyId": .string($0.id), "fingerprint": .string($0.fingerprint)])
                }),
            "clockOffset": replica.clockOffset.map { .number("\($0)") } ?? .null,
            "differs": .texts(replica.differences.map(\.rawValue)),
        ])
    }
}
