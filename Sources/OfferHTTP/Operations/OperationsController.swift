import HTTPTypes
import Hummingbird
package import OfferService
import WireText

/// The operations for operators and tools: `/`, `/readyz`, `/metrics`, `/openapi.json`, and the pages of `/docs`.
package struct OperationsController: Sendable {
    let checks: [ReadinessCheck]
    /// Renders the metrics, in Prometheus' text format.
    package let metrics: @Sendable () async -> String
    /// The OpenAPI document.
    let document: [UInt8]
    package let reference: DocumentPages
    package let failures: FailureLog
    let servesMetrics: Bool

    package init(
        checks: [ReadinessCheck],
        metrics: @escaping @Sendable () async -> String,
        document: [UInt8],
        reference: DocumentPages,
        failures: FailureLog,
        servesMetrics: Bool
    ) {
        self.checks = checks
        self.metrics = metrics
        self.document = document
        self.reference = reference
        self.failures = failures
        self.servesMetrics = servesMetrics
    }

    /// The routes on the port of the API.
    ///
    /// Every other path at that port belongs to the API or to the console, or does not exist.
    var routes: [OperationRoute] {
        let document = ByteBuffer(bytes: document)
        let policy = reference.contentSecurityPolicy
        return [
            OperationRoute(.getRoot) { _ in .page(reference.entrance, policy: policy) },
            OperationRoute(.getReadiness) { _ in await readiness() },
            OperationRoute(.getOpenAPI) { _ in
                Response(status: .ok, headers: [.contentType: "application/json"], body: ResponseBody(byteBuffer: document))
            },
            OperationRoute(.getDocs) { _ in .page(reference.index, policy: policy) },
            OperationRoute(.getDocsPage) { request in
                guard let page = reference.pages[request.parameter("page")] else { throw Problem.notFound }
                return .page(page, policy: policy)
            },
        ] + (servesMetrics ? [metricsRoute] : [])
    }

    /// The route of `/metrics`.
    ///
    /// It is not among `routes`, because the configuration can move it to a port of its own.
    var metricsRoute: OperationRoute {
        OperationRoute(.getMetrics) { _ in
            Response(
                status: .ok,
                headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: await metrics())))
        }
    }

    private func readiness() async -> Response {
        let findings = await ReadinessFinding.all(of: checks) { failures.note("not ready", .of($0)) }
        let isReady = findings.allSatisfy(\.isOK)
        let text = JSONWriter.bytes { json in
            json.append(raw: isReady ? #"{"ready":true,"checks":["# : #"{"ready":false,"checks":["#)
            for (index, finding) in findings.enumerated() {
                json.append(raw: index == 0 ? #"{"name":"# : #",{"name":"#)
                json.append(finding.name)
                json.append(raw: finding.isOK ? #","ok":true,"detail":"# : #","ok":false,"detail":"#)
                json.append(finding.detail)
                json.append(raw: "}")
            }
            json.append(raw: "]}")
        }
        return OperationsController.json(String(decoding: text, as: UTF8.self), isReady ? .ok : .serviceUnavailable)
    }

    private static func json(_ text: String, _ status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status,
            headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
}

extension Response {
    /// Returns a page with its Content-Security-Policy.
    fileprivate static func page(_ html: [UInt8], policy: String) -> Response {
        Response(
            status: .ok,
            headers: [
                .contentType: "text/html; charset=utf-8", .contentSecurityPolicy: policy,
                .xContentTypeOptions: "nosniff", .referrerPolicy: "no-referrer",
            ],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: html)))
    }
}

extension HTTPField.Name {
    fileprivate static let referrerPolicy = HTTPField.Name("Referrer-Policy")!
}

/// Pages to read that never change while the process runs.
package struct DocumentPages: Sendable {
    /// The page at `/`, which leads to the others and to the console.
    let entrance: [UInt8]
    /// The page at `/docs`, which lists the operations.
    let index: [UInt8]
    /// The pages below `/docs/`, by their last part: the `operationId`, or `codes`.
    let pages: [String: [UInt8]]
    /// The Content-Security-Policy. It allows the style sheet of these pages and nothing else.
    let contentSecurityPolicy: String
}

/// The result of one readiness check.
struct ReadinessFinding {
    let name: String
    let isOK: Bool
    /// A detail about a check that has passed, or the reason why it has failed.
    let detail: String

    /// Runs every check, one after the other.
    ///
    /// - Parameter onFailure: receives the error of each check that fails.
    static func all(of checks: [ReadinessCheck], onFailure: (any Error) -> Void = { _ in }) async -> [ReadinessFinding] {
        var findings: [ReadinessFinding] = []
        for check in checks {
            do {
                findings.append(ReadinessFinding(name: check.name, isOK: true, detail: try await check.run()))
            } catch {
                onFailure(error)
                findings.append(ReadinessFinding(name: check.name, isOK: false, detail: Problem(error).detail))
            }
        }
        return findings
    }
}
