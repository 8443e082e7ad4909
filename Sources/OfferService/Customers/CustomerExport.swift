package import EligibilityRules
import OfferStore
package import WireText

/// All data stored about a customer, as one JSON object. It is written piece by piece, because it may be too large for memory.
package struct CustomerExport: Sendable {
    /// Takes the next bytes of the export. It waits as long as the receiver cannot take more.
    package typealias Sink = ([UInt8]) async throws -> Void

    let customerID: String
    let app: App
    let exportedAt: Instant
    /// Nil if no purchases of the customer are known.
    package let facts: CustomerFacts?
    let rows: CustomerRows
    let histories: any HistoryStore
    let consent: ConsumptionConsent?

    /// Writes the export.
    ///
    /// - Parameter json: the facts as JSON.
    package func write(_ json: (CustomerFacts) -> JSONValue, to sink: Sink) async throws {
        let chains = facts?.links.chains ?? []
        let head: JSONValue = .members([
            "customerId": .string(customerID), "bundleId": .string(app.bundleID),
            "environment": .string(app.environmentName), "exportedAt": .instant(exportedAt),
            "facts": facts.map(json) ?? .null, "consumptionConsent": consent.map(JSONValue.of) ?? .null,
        ])
        try await sink(Array(head.bytes.dropLast()))
        var list = List(name: "purchases")
        for chain in chains { try await sink(list.next(ExportedRow.json(chain))) }
        try await sink(list.end(beginning: "notifications"))
        for chain in chains {
            let notifications = try await histories.notifications(
                partition: app.partition, originalTransactionID: chain.originalID)
            for notification in notifications {
                let body = try await histories.notificationBody(key: notification.key, partition: app.partition)
                try await sink(list.next(ExportedRow.json(notification, body: body)))
            }
        }
        try await sink(list.end(beginning: "signatures"))
        for part in try await rows.slices(of: .signatures) {
            for entry in try await rows.entries(in: part) { try await sink(list.next(ExportedRow.json(entry))) }
        }
        try await sink(list.end(beginning: "refusals"))
        for part in try await rows.slices(of: .refusals) {
            for refusals in try await rows.refusals(in: part) { try await sink(list.next(ExportedRow.json(refusals))) }
        }
        try await sink(list.end(beginning: "exposures"))
        var last: Int64 = 0
        while case let part = try await rows.exposures(after: last), let end = part.last {
            for (_, exposure) in part { try await sink(list.next(ExportedRow.json(exposure))) }
            last = end.id
        }
        try await sink(list.end(beginning: "exclusionHolds"))
        for hold in try await rows.holds() { try await sink(list.next(ExportedRow.json(hold))) }
        try await sink(list.end(beginning: "testers"))
        for (campaign, tester) in try await rows.testers() {
            try await sink(list.next(ExportedRow.json(tester, of: campaign)))
        }
        try await sink(list.end(beginning: "rehearsals"))
        for exposure in try await rows.rehearsals() { try await sink(list.next(ExportedRow.json(rehearsal: exposure))) }
        try await sink(list.end(beginning: "auditEvents"))
        for part in try await rows.slices(of: .events) {
            for event in try await rows.events(in: part) { try await sink(list.next(ExportedRow.json(event))) }
        }
        try await sink(list.end() + Array("}".utf8))
    }

    /// A list that is written one element at a time.
    private struct List {
        private var pending: String

        init(name: String) { pending = #","\#(name)":["# }

        /// The bytes of the next element, preceded by the beginning of the list or by the separator.
        mutating func next(_ value: JSONValue) -> [UInt8] {
            defer { pending = "," }
            return Array(pending.utf8) + value.bytes
        }

        /// The bytes that end the list. A list without elements gets its beginning here.
        mutating func end() -> [UInt8] {
            let start = pending == "," ? "" : pending
            return Array("\(start)]".utf8)
        }

        /// Ends this list and begins another one, of this name.
        mutating func end(beginning name: String) -> [UInt8] {
            defer { self = List(name: name) }
            return end()
        }
    }
}
