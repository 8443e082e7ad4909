extension ServiceEvent {
    /// The data of an event whose customer was erased.
    package static let blank = Array("{}".utf8)
}

extension AppPartition {
    /// The ordering key of events about a customer, or about a transaction whose customer is unknown.
    package func orderingKey(_ id: String) -> String { "\(name)/\(id)" }
}
