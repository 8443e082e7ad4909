import ArgumentParser
import OfferHTTP

/// Prints the OpenAPI document of the API.
struct OpenAPICommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "openapi",
        abstract: "Print the OpenAPI document, which a running service serves at /openapi.json."
    )

    func run() { print(lines: String(decoding: OpenAPIDocument.bytes(version: ProgramVersion.current), as: UTF8.self)) }
}
