import AppStore
import EligibilityRules
import Testing
import WireText

@testable import OfferHTTP
@testable import OfferService

@Suite("The panel that says how many an audience has")
struct ReachViewTests {
    private static let app = App(
        identity: AppIdentity(bundleID: "com.example.app", appAppleID: nil, environment: .production),
        rules: AppRules(enforcement: .enforce), policy: EligibilityPolicy(), catalogue: Catalogue(products: []))

    private static func html(
        _ finding: ReachPanel.Finding,
        form: CampaignForm = CampaignForm([:]),
        isClosed: Bool = false
    ) throws -> String {
        let view = ReachView(
            finding: finding, form: form, app: app,
            time: ConsoleTime(now: Instant(milliseconds: 1_772_355_600_000), zone: "UTC"), action: "/rule", isClosed: isClosed)
        return try ConsoleTemplates(pages: Console.pages).html(view)
    }

    @Test("While it counts it says how far it is, and a script asks again")
    func progress() throws {
        let html = try Self.html(.counting(CountingProgress(done: 412_000, total: 1_000_000)))
        #expect(html.contains("412,000 of 1,000,000 customers looked at") && html.contains(#"width="41.20%""#))
        #expect(html.contains(" data-counting") && html.contains("See how far it is"))
        #expect(try Self.html(.counting(CountingProgress(done: 0, total: nil))).contains("Waiting for its turn"))
        #expect(try !Self.html(.nothing).contains("data-counting"))
    }

    @Test("Who writes sends the form along; where there is nothing to write in, a link is enough")
    func forms() throws {
        let (open, closed) = (try Self.html(.nothing), try Self.html(.nothing, isClosed: true))
        #expect(open.contains(#"form="rule" name="op" value="reach""#) && !open.contains("<form"))
        #expect(closed.contains(#"<form method="get" action="/rule#reach">"#) && !closed.contains(#"name="op""#))
    }

    @Test("What cannot be counted is said, and escaped")
    func refused() throws {
        let html = try Self.html(.refused(["<b>Many</b> is no number."]))
        #expect(html.contains("It cannot be counted as it stands.") && html.contains("&lt;b&gt;Many&lt;/b&gt; is no number."))
    }

    @Test("Shares outside of 0 to 100 % are left out of the count", arguments: ["-1", "101", "900000000000000"])
    func shares(text: String) throws {
        var (form, count) = (CampaignForm([:]), AudienceCount(stages: 0, days: 0))
        (form[.holdout], form[.enrolment], form[.expected]) = ("10", text, text)
        count.customers = 300_000
        count.passed = [300_000]
        let funnel = try AudienceFunnel(nil, segments: .none)
        let html = try Self.html(.counted(count, funnel, at: Instant(milliseconds: 1_772_355_600_000)), form: form)
        #expect(html.contains("300,000") && !html.contains("let in"))
    }

    @Test("A forecast says what it leaves out: a limit that may end the campaign before, and what only the app knows")
    func forecast() {
        func text(total: Int, isAtMost: Bool) -> String {
            let campaign = Campaign(
                id: "c", name: "C", bundleID: "com.example.app", limits: CampaignLimits(total: total),
                design: CampaignDesign(
                    variants: [CampaignVariant(id: "control", weight: 5000), CampaignVariant(id: "a", weight: 5000)],
                    analysis: .fixed(sampleSize: 500)))
            let asking = AskingDays(counts: Array(repeating: 100, count: 28))
            return ForecastWords.text(
                campaign, asking, isAtMost: isAtMost,
                ConsoleTime(now: Instant(milliseconds: 1_772_355_600_000), zone: "UTC"))
        }
        #expect(text(total: 499, isAtMost: false).hasPrefix("About 19 days to a verdict"))
        #expect(text(total: 499, isAtMost: false).contains(" Its limit of 499 offers in all may be used up before. "))
        #expect(text(total: 500, isAtMost: true).hasPrefix("At least 19 days to a verdict"))
        #expect(!text(total: 500, isAtMost: true).contains("limit"))
    }
}
