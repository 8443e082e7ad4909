/// How calls to one host are repeated, withheld and paced.
public struct CallPolicy: Equatable, Sendable {
    /// How often and when a request is sent again.
    public let retry: RetryPolicy
    /// Whether a host that keeps failing is asked at all. Each host has its own state.
    public let circuit: CircuitState
    /// How long a request may wait for its turn, in ms.
    public let maxTurnWait: Int64

    /// Takes the values as they are.
    public init(
        retry: RetryPolicy = RetryPolicy(),
        circuit: CircuitState = CircuitState(threshold: 10, coolDown: 30_000),
        maxTurnWait: Int64 = 2000
    ) {
        self.retry = retry
        self.circuit = circuit
        self.maxTurnWait = maxTurnWait
    }
}
