import OfferSigning
import Testing

@testable import OfferSigner

@Suite("The first configuration")
struct FirstConfigurationTests {
    private let first = FirstConfiguration(store: "/var/lib/a \"b\"/store.sqlite", keys: "/etc/it's: #1", port: 8080)

    @Test("Examples are answers, and the comments of the file leave them as they are", arguments: SetupQuestion.allCases)
    func examples(_ question: SetupQuestion) throws {
        #expect(first.fault(of: question.example, to: question) == nil)
        var configuration = first
        configuration.answers[question] = question.example
        try configuration.check()
    }

    @Test(
        "What is written is read back, whatever YAML makes of it elsewhere",
        arguments: ["plain", "null", "~", "it's \"20\" %", "a: b #c", "{x}", "- y", "1e3", "\\n", "ä\t€"])
    func quoting(_ text: String) throws {
        var configuration = first
        for question in [SetupQuestion.groupID, .productID, .offerID] {
            #expect(first.fault(of: text, to: question) == nil)
            configuration.answers[question] = text
        }
        let tree = try ConfigurationTree(files: [(name: "", yaml: configuration.yaml)], variables: [:])
        #expect(tree.text("store.sqlite") == first.store && tree.text("keys.directory") == first.keys)
        let app = try #require(tree.root.list("apps").first)
        let group = try #require(app.list("subscriptionGroups").first)
        let product = try #require(group.list("products").first)
        #expect(group.text("id") == text && product.text("id") == text)
        #expect(product.list("promotionalOffers").first?.text("id") == text)
        #expect(app["issuerId"] == nil && app["appAppleId"] == nil)
    }

    @Test(
        "An answer that the service would not take, or that is of another form in App Store Connect, is no answer",
        arguments: [
            (.bundleID, "com.example.a b"), (.bundleID, "com.example#x"), (.bundleID, ""), (.issuerID, "me"), (.appleID, "x"),
            (.appleID, "-1"), (.appleID, "1, x: 2"), (.groupID, " "), (.productID, ""), (.period, "P1M1D"), (.period, "P1M # x"),
            (.offerID, "\u{2063}"), (.offerKind, "free"), (.offerKind, "free-trial, x: y"), (.offerPeriod, "null"),
        ] as [(SetupQuestion, String)])
    func faults(question: SetupQuestion, answer: String) {
        #expect(first.fault(of: answer, to: question) != nil)
    }

    @Test("The manifest has the key active for the app")
    func manifest() throws {
        let entries = try KeyManifest(yaml: first.manifest(keyID: "ABCDEFGHIJ"), source: "").entries
        #expect(
            entries == [
                KeyManifest.Entry(
                    id: "ABCDEFGHIJ", place: .file("SubscriptionKey_ABCDEFGHIJ.p8"), apps: ["com.example.app"], state: .active)
            ])
    }

    @Test("Without a terminal all faults of options come together")
    func options() throws {
        var dialogue = SetupDialogue(asks: false)
        let answers = [
            try dialogue.answer("Which", option: "--a", given: "right") { _ in nil },
            try dialogue.answer("Which", option: "--b", given: "wrong") { "\($0) is wrong" },
            try dialogue.answer("Which", option: "--c", given: nil) { _ in nil },
            try dialogue.answer("Which", option: "--d", isOptional: true, given: nil) { _ in nil },
        ]
        #expect(answers == ["right", nil, nil, nil])
        #expect(dialogue.faults == ["--b: wrong is wrong", "--c is missing: Which"])
    }
}
