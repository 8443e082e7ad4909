import CResources

/// The files of `Resources/`, which are embedded in the program.
enum Resource {
    /// Returns the bytes of a file. Call it at startup only.
    ///
    /// Ends the process if `Sources/CResources/resources.c` does not list it.
    ///
    /// - Parameter name: the path below `Resources/`.
    static func bytes(_ name: String) -> [UInt8] {
        guard let resource = rs_find(name) else { preconditionFailure("there is no resource \(name)") }
        return Array(UnsafeBufferPointer(start: resource.pointee.bytes, count: resource.pointee.length))
    }
}
