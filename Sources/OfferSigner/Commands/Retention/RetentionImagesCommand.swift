import AppStore
import ArgumentParser
import FoundationEssentials
import WireText

/// Commands about the pictures of Retention Messaging.
struct RetentionImagesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "images", abstract: "Upload, list and delete pictures.",
        subcommands: [Upload.self, List.self, Delete.self])

    struct Upload: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Upload a PNG without transparency, 3840 pixels wide and 160 to 2160 high, and print its id.",
            discussion:
                "Apple looks at it before it is shown; the sandbox approves at once. Messages with offers have no picture.")

        @OptionGroup var retention: RetentionOptions

        @Argument(help: "The picture, a PNG file.")
        var file: String

        @Option(help: ArgumentHelp("A UUID to know it by. Default: a new one.", valueName: "id"))
        var id: UUID?

        @Flag(help: "The picture is for a line of a list: 1024 × 1024 pixels.")
        var bulletPoint = false

        func run() async throws {
            try TextFile.checkReadable(file, for: nil)
            guard let content = FileManager.default.contents(atPath: file) else {
                throw ConfigurationError("\(file) cannot be read")
            }
            let image: RetentionImage
            do throws(RetentionFault) {
                image = try RetentionImage(png: Array(content), size: bulletPoint ? .bulletPoint : .full)
            } catch {
                throw ValidationError("\(file): \(error)")
            }
            let identifier = id ?? UUID()
            try await retention.ask { api, environment throws(AppStoreError) in
                try await api.upload(image, as: identifier, in: environment)
            }
            print(identifier.lowerCaseString)
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the pictures with what Apple says of them.")

        @OptionGroup var retention: RetentionOptions

        @Flag(help: "Print one line of JSON.")
        var json = false

        func run() async throws {
            let found = try await retention.ask { api, environment throws(AppStoreError) in
                try await api.retentionImages(in: environment)
            }
            RetentionUploadText.report(found, json: json)
        }
    }

    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Delete a picture that no message uses.")

        @OptionGroup var retention: RetentionOptions

        @Argument(help: "Its id.")
        var id: UUID

        func run() async throws {
            try await retention.ask { api, environment throws(AppStoreError) in
                try await api.deleteRetentionImage(id, in: environment)
            }
            print("deleted")
        }
    }
}

/// Prints a list of pictures or of texts that were uploaded to the App Store.
enum RetentionUploadText {
    static func report(_ uploads: [RetentionUpload], json: Bool) {
        if json { return print(Self.json(uploads)) }
        if uploads.isEmpty { StandardError.note("there is none") }
        for each in uploads { print(([each.identifier, each.state] + (each.size.map { [$0] } ?? [])).joined(separator: "  ")) }
    }

    private static func json(_ uploads: [RetentionUpload]) -> String {
        let bytes = JSONWriter.bytes { json in
            json.append(raw: #"{"items":["#)
            for (index, each) in uploads.enumerated() {
                json.append(raw: index == 0 ? #"{"id":"# : #",{"id":"#)
                json.append(each.identifier)
                json.append(raw: #","state":"#)
                json.append(each.state)
                if let size = each.size {
                    json.append(raw: #","size":"#)
                    json.append(size)
                }
                json.append(raw: "}")
            }
            json.append(raw: "]}")
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
