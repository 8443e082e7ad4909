// Feeds one target for as long as libFuzzer's options say. Whatever goes wrong traps.
// usage: fuzz TARGET [libFuzzer option or folder]…

import CLibFuzzer
import FuzzTargets
import Glibc

enum Command {
    static let target: FuzzTarget = {
        guard CommandLine.arguments.count > 1, let target = FuzzTarget(rawValue: CommandLine.arguments[1]) else {
            fatalError("usage: fuzz \(FuzzTarget.allCases.map(\.rawValue).joined(separator: "|")) [option]…")
        }
        return target
    }()
}

// The target's name takes the place of the program's, which libFuzzer passes over.
_ = Command.target
var count = CommandLine.argc - 1
var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv + 1
exit(
    LLVMFuzzerRunDriver(&count, &arguments) { start, count in
        Command.target.run(UnsafeBufferPointer(start: start, count: count))
        return 0
    })
