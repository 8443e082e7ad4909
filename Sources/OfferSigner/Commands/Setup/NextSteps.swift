import FoundationEssentials
import Glibc
import WireText

/// What to do after `offersigner init`, as commands to paste.
struct NextSteps {
    let files: SetupFiles
    let configuration: FirstConfiguration

    /// The steps, with line ends.
    var text: String {
        let options = "--config \(quoted(files.configuration))"
        let bundleID = configuration[.bundleID]
        return """
            1. Make the store, and an access key for the app's clients:

            \(program) store create \(options)
            (umask 077 && \(program) access create \(options) --role client --app \(quoted(bundleID)) >\(quoted(files.accessKey)))

            2. Start the service; Ctrl-C ends it:

            \(program) serve \(options)

            3. In another terminal, ask for a signature:

            curl -sS http://127.0.0.1:\(configuration.port)/v1/signatures -H "Authorization: Bearer $(cat \(quoted(files.accessKey)))" -d \(quoted(request))

            The service knows no purchase of u-123 yet: the answer is "refused", "never-subscribed". To go on: docs/operations.md,
            from TLS or a proxy to Turn on enforcement.
            """
    }

    private var request: String {
        let body = JSONWriter.bytes { json in
            json.append(raw: #"{"bundleId":"#)
            json.append(configuration[.bundleID])
            json.append(raw: #","customerId":"u-123","offers":[{"productId":"#)
            json.append(configuration[.productID])
            json.append(raw: #","offerId":"#)
            json.append(configuration[.offerID])
            json.append(raw: "}]}")
        }
        return String(decoding: body, as: UTF8.self)
    }

    /// The program as it was called.
    ///
    /// Root is advised to run it as the owner of the key folder, because that user cannot read files that root makes.
    private var program: String {
        let called = CommandLine.arguments[0]
        let path = quoted(called.contains("/") ? URL(filePath: called).standardizedFileURL.path : called)
        var folder = stat()
        guard geteuid() == 0, stat(files.keys, &folder) == 0, folder.st_uid != 0, let user = getpwuid(folder.st_uid) else {
            return path
        }
        return "runuser -u \(String(cString: user.pointee.pw_name)) -- \(path)"
    }

    /// Returns a text as one word for a shell.
    private func quoted(_ text: String) -> String {
        if text.wholeMatch(of: /[0-9A-Za-z_.,:\/=@%+\-]+/) != nil { return text }
        return "'\(text.replacing("'", with: #"'\''"#))'"
    }
}
