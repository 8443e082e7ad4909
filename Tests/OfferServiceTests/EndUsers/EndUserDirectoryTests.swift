import OfferSigning
import OfferSigningTesting
import ServiceLifecycle
import Testing

@testable import OfferService

@Suite("End users", .timeLimit(.minutes(30)))
struct EndUserDirectoryTests {
    private let workshop: EndUserWorkshop

    init() throws { workshop = try EndUserWorkshop() }

    @Test("A token is verified once, and known from then on until it has expired")
    func remembered() async throws {
        try workshop.publish("one")
        let token = try workshop.token("one")
        #expect(workshop.directory.caller(token[...]) == nil)
        let caller = try await workshop.directory.verify(token)
        #expect(caller.endUser == EndUser(customerID: "u-1", accountToken: nil))
        #expect((caller.role, caller.apps) == (.client, ["a", "b"]))
        #expect(workshop.directory.caller(token[...]) === caller)
        #expect(workshop.directory.caller(token.dropLast()) == nil)
        workshop.clock.pass(600_999)
        #expect(workshop.directory.caller(token[...]) === caller)
        workshop.clock.pass(1)
        #expect(await workshop.enter(token) == "expired")
        // A clock that is set back makes it good again; one from before nbf does not.
        workshop.clock.leap(-1)
        #expect(await workshop.enter(token) == caller.id)
    }

    @Test("A user has one id and one rate, whatever the token; two users have two, and no id says whose it is")
    func users() async throws {
        try workshop.publish("one")
        let first = try await workshop.directory.verify(try workshop.token("one"))
        let again = try await workshop.directory.verify(try workshop.token("one", more: #","x":1"#))
        let other = try await workshop.directory.verify(try workshop.token("one", sub: "u-2"))
        #expect(first.id == again.id && first.rate === again.rate && first !== again)
        #expect(first.id != other.id && first.rate !== other.rate)
        #expect(first.id.wholeMatch(of: /usr_[0-9a-f]{32}/) != nil)
    }

    @Test(
        "A new key is looked for when a token names it, by one look for all who come; made-up ones make no second within ten seconds"
    )
    func rotation() async throws {
        try workshop.publish("one")
        _ = await workshop.enter(try workshop.token("one"))
        #expect(workshop.looks == 1)
        try workshop.publish("two")
        let token = try workshop.token("two")
        #expect(await workshop.enter(token) == "unknown-key")
        workshop.clock.pass(10_000)
        let answers = await withTaskGroup(of: String.self) { group in
            for _ in 0..<100 { group.addTask { await workshop.enter(token) } }
            return await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(answers.count == 1 && answers.first?.hasPrefix("usr_") == true)
        #expect(workshop.looks == 2)
        _ = try workshop.issuer.makeKey("made-up", .es256)
        for _ in 0..<20 { #expect(await workshop.enter(try workshop.token("made-up")) == "unknown-key") }
        #expect(workshop.looks == 2)
    }

    @Test("A token whose key is withdrawn is refused at once, though it was known")
    func withdrawal() async throws {
        try workshop.publish("one")
        try workshop.publish("two")
        let (first, second) = (try workshop.token("one"), try workshop.token("two"))
        let id = await workshop.enter(first)
        #expect(await workshop.enter(second) == id)
        workshop.withdraw("one")
        await workshop.keys.look()
        #expect(workshop.directory.caller(first[...]) == nil && workshop.directory.caller(second[...]) == nil)
        #expect(await workshop.enter(first) == "unknown-key")
        #expect(await workshop.enter(second) == id)
        // The same document again forgets nothing.
        await workshop.keys.look()
        #expect(workshop.directory.caller(second[...]) != nil)
    }

    @Test(
        "An issuer that is away keeps its keys until they are too old; then no user is let in, and the token is not blamed"
    )
    func away() async throws {
        try workshop.publish("one")
        let token = try workshop.token("one", more: #","long":1"#)
        let id = await workshop.enter(token)
        workshop.setAway(true)
        await workshop.keys.look()
        #expect(workshop.log.failures == ["internal-error"])
        #expect(await workshop.enter(token) == id)
        workshop.clock.leap(-1_000_000)
        workshop.clock.pass(EndUserWorkshop.maxAge)
        workshop.clock.leap(1_000_000 - EndUserWorkshop.maxAge)
        #expect(await workshop.enter(token) == id)
        workshop.clock.pass(1)
        #expect(await workshop.enter(token) == "keysUnavailable")
        workshop.setAway(false)
        workshop.clock.pass(10_000)
        #expect(await workshop.enter(token) == id)
    }

    @Test("Keys are read at the start, again after the interval, and sooner when that did not work")
    func rounds() async throws {
        workshop.setAway(true)
        try await ServiceGroup.serving(workshop.keys) {
            #expect(await workshop.clock.nextSleep() == .seconds(30))
            #expect(workshop.looks == 1)
            workshop.setAway(false)
            workshop.clock.pass(30_000)
            #expect(await workshop.clock.nextSleep() == .seconds(300))
            #expect(workshop.looks == 2)
            workshop.clock.pass(300_000)
            #expect(await workshop.clock.nextSleep() == .seconds(300))
            #expect(workshop.looks == 3)
        }
        // A set without keys is in force, and worth a word.
        #expect(workshop.log.lines.last == "warning: the keys of end users' tokens were read")
    }

    @Test(
        "The account token is the claim's, or a sub that is a UUID",
        arguments: [
            ("u-1", "", nil), ("7E3FB20B-4CDB-47CC-936D-99D65F608138", "", "7e3fb20b-4cdb-47cc-936d-99d65f608138"),
            ("u-1", #","token":"7E3FB20B-4CDB-47CC-936D-99D65F608138""#, "7e3fb20b-4cdb-47cc-936d-99d65f608138"),
            (
                "00000000-0000-4000-8000-000000000000", #","token":"7e3fb20b-4cdb-47cc-936d-99d65f608138""#,
                "7e3fb20b-4cdb-47cc-936d-99d65f608138"
            ),
        ] as [(String, String, String?)])
    func accountTokens(sub: String, more: String, token: String?) async throws {
        let workshop = try EndUserWorkshop(claim: "token")
        try workshop.publish("one")
        let caller = try await workshop.directory.verify(try workshop.token("one", sub: sub, more: more))
        #expect(caller.endUser == EndUser(customerID: sub, accountToken: token))
        #expect(await workshop.enter(try workshop.token("one", more: #","token":"no UUID""#)) == "unusable-claim")
    }

    @Test("What is remembered is bounded, and what was asked for lately stays")
    func bounds() async throws {
        try workshop.publish("one")
        let token = try workshop.token("one")
        let caller = try await workshop.directory.verify(token)
        let generation = try #require(workshop.keys.current?.generation)
        let entry = VerifiedTokens.Entry(
            caller: caller, keys: workshop.keys, generation: generation, times: 0..<Int64.max)
        let verified = VerifiedTokens(capacity: 8)
        for number in 0..<100 as Range<UInt8> {
            verified.insert(entry, for: [number])
            #expect(verified.caller([0], at: 1) != nil)
        }
        #expect((1..<100).filter { verified.caller([$0], at: 1) != nil }.count < 8)
    }

    @Test("Rates are forgotten of those only who have used nothing lately, as long as there is room")
    func rates() throws {
        let rates = EndUserRates(capacity: 4) { 1000 }
        let limit = RateLimit(requestsPerSecond: 1, burst: 2)
        let busy = rates.state(of: "busy")
        _ = limit.admit(busy, now: 1000)
        for number in 0..<100 { _ = rates.state(of: "\(number)") }
        #expect(rates.state(of: "busy") === busy)
    }
}
