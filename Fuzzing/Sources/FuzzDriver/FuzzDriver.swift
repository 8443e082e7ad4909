import CLibFuzzer
import Glibc

/// Hands inputs to one decoder for as long as the command line says.
package enum FuzzDriver {
    /// Takes one input. Whatever goes wrong has to trap.
    package typealias Run = @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32

    /// Runs the fuzzer; does not come back.
    package static func main(_ run: Run) -> Never {
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        exit(LLVMFuzzerRunDriver(&count, &arguments, run))
    }
}
