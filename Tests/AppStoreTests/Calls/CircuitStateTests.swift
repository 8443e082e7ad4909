import EligibilityRules
import Testing

@testable import AppStore

@Suite("Circuit")
struct CircuitStateTests {
    private func opened() -> CircuitState {
        var circuit = CircuitState(threshold: 3, coolDown: 1000)
        for _ in 1...3 { circuit.noteFailure(at: 0) }
        return circuit
    }

    @Test("It opens after so many failures in a row")
    func opens() {
        var circuit = CircuitState(threshold: 3, coolDown: 1000)
        for _ in 1...2 { circuit.noteFailure(at: 0) }
        circuit.noteSuccess()
        for _ in 1...2 { circuit.noteFailure(at: 0) }
        #expect(circuit.admit(at: 0) == true)
        #expect(circuit.openUntil == nil)
        circuit.noteFailure(at: 0)
        #expect(circuit.admit(at: 999) == false)
        #expect(circuit.openUntil == 1000)
    }

    @Test("After the cool-down one request tries, and its outcome decides")
    func halfOpens() {
        var back = opened()
        #expect(back.admit(at: 1000) == true)
        #expect(back.admit(at: 1001) == false)
        back.noteSuccess()
        #expect(back.admit(at: 1002) == true)
        #expect(back.admit(at: 1002) == true)

        var stillDown = opened()
        #expect(stillDown.admit(at: 1000) == true)
        stillDown.noteFailure(at: 1500)
        #expect(stillDown.admit(at: 2499) == false)
        #expect(stillDown.admit(at: 2500) == true)
    }

    @Test("A try without a report blocks only for another cool-down")
    func lostTry() {
        var circuit = opened()
        #expect(circuit.admit(at: 1000) == true)
        #expect(circuit.admit(at: 1999) == false)
        #expect(circuit.admit(at: 2000) == true)
    }

    @Test("Failures of requests that were on their way do not prolong the cool-down")
    func lateFailures() {
        var circuit = opened()
        circuit.noteFailure(at: 900)
        #expect(circuit.admit(at: 1000) == true)
    }
}
