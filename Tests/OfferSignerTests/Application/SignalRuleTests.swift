import Glibc
import Testing

@testable import OfferService
@testable import OfferSigner

@Suite("Signals")
struct SignalRuleTests {
    @Test(
        "The first word to stop lets what was accepted finish, the second does not, whichever they are",
        arguments: [SIGTERM, SIGINT, SIGQUIT], [SIGTERM, SIGINT, SIGQUIT])
    func stopping(first: Int32, second: Int32) {
        var rule = SignalRule()
        let actions = [first, SIGHUP, SIGUSR1, second].map { rule.action(on: $0, isServing: true) }
        #expect(actions == [.stop, .ignore, .ignore, .stopNow])
    }

    @Test("Nothing else ends the process, while it starts, serves or stops", arguments: [SIGHUP, SIGUSR1, SIGUSR2])
    func harmless(number: Int32) {
        var rule = SignalRule()
        let early = rule.action(on: number, isServing: false)
        let serving = rule.action(on: number, isServing: true)
        #expect(early == .ignore)
        #expect(serving == (number == SIGHUP ? .reload : .ignore))
    }

    @Test("While it starts there is nothing to finish")
    func starting() {
        var rule = SignalRule()
        let action = rule.action(on: SIGTERM, isServing: false)
        #expect(action == .stopNow)
    }
}
