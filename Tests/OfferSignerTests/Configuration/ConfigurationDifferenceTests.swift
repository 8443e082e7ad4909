import EligibilityRules
import Foundation
import OfferService
import OfferStoreTesting
import Testing

@testable import OfferSigner

@Suite("What a reload applies, and what waits for a restart")
struct ConfigurationDifferenceTests {
    /// A configuration with this value of one key, in which the app `a` has all lists that lead to the key.
    private static func tree(_ path: String, _ value: String) throws -> ConfigurationTree {
        var yaml = ""
        for name in path.split(separator: ".").reversed() {
            let isList = name.hasSuffix("[]")
            let key = isList ? name.dropLast(2) : name
            let inner = yaml.isEmpty ? value : yaml
            let id = key == "apps" ? "bundleId: a, " : ["subscriptionGroups", "products"].contains(key) ? "id: b, " : ""
            // An element has its id once.
            let fields =
                inner.hasPrefix("{bundleId: ") || inner.hasPrefix("{id: ") ? inner : inner.replacing(/^\{/, with: "{\(id)")
            yaml = isList ? "{\(key): [\(fields)]}" : "{\(key): \(inner)}"
        }
        let app = path.hasPrefix("apps[]") ? "" : "apps: [{bundleId: a}]\n"
        return try ConfigurationTree(files: [("first", app.isEmpty ? "{}" : app), ("second", yaml)], variables: [:])
    }

    /// Two values of a key, as YAML.
    private static func values(_ key: ConfigurationKey) -> [String] {
        switch key.kind {
        case .text: ["one", "two"]
        case .integer(let range): ["\(range.lowerBound)", "\(range.lowerBound + 1)"]
        case .flag: ["true", "false"]
        case .choice(let words): [words[0], words[1]]
        case .texts: ["[one]", "[one, two]"]
        case .prices: ["{USA: 9.99 USD}", "{USA: 8.99 USD}"]
        case .rates: ["{EUR: 1.08}", "{EUR: 1.09}"]
        }
    }

    @Test("A change of any key is applied or named as waiting", arguments: ConfigurationKey.all.map(\.path))
    func noneIsSilent(path: String) throws {
        // The file of this key is read at once.
        guard path != "catalogue.file", let key = ConfigurationKey.all.first(where: { $0.path == path }) else { return }
        let trees = try Self.values(key).map { try Self.tree(path, $0) }
        let difference = ConfigurationDifference(from: trees[0].settings, to: trees[1].settings)
        let changes = difference.applied + difference.waiting
        #expect(changes.contains { $0.path == path }, "\(path): \(changes)")
        // An app or a product with another id is another one: all that is set of either has changed.
        guard !path.hasSuffix("undleId") else { return #expect(difference.applied.isEmpty) }
        #expect(difference.waiting.isEmpty == ConfigurationKey.isReloaded(path))
        if key.isSecret { #expect(changes.allSatisfy { $0.text.hasSuffix(": (secret) → (secret)") }) }
    }

    @Test("What is said to be applied is what the app takes over")
    func rules() throws {
        func app(_ rules: String) throws -> AppConfiguration {
            let yaml = "apps: [{bundleId: a, issuerId: 00000000-0000-4000-8000-000000000000, \(rules)}]"
            return try #require(ServiceConfiguration(ConfigurationTree(files: [("x", yaml)], variables: [:])).apps.first)
        }
        let old = try app("writeAppAccountToken: true")
        let new = try app(
            """
            eligibility: advise, introductoryOverrides: client, transfer: to-latest, requireHistory: true,
            familySharedCountsAsOwn: true, subscriptionGroups: [{id: b, products: [{id: c, period: P1M}]}]
            """)
        let reloaded = old.reloaded(from: new)
        #expect(reloaded.enforcement == .advise && reloaded.introductoryOverrides == .client && reloaded.transfer == .toLatest)
        #expect(reloaded.policy.requiresHistory && reloaded.policy.familySharedCountsAsOwn)
        #expect(reloaded.catalogue.product("c") != nil)
        #expect(reloaded.writesAppAccountToken && !new.writesAppAccountToken)
        // Each key of an app that a reload applies is one of these.
        let keys = ConfigurationKey.all.map(\.path).filter { $0.hasPrefix("apps[].") && ConfigurationKey.isReloaded($0) }
        #expect(
            Set(keys.filter { !$0.hasPrefix("apps[].subscriptionGroups[]") }) == [
                "apps[].eligibility", "apps[].introductoryOverrides", "apps[].transfer", "apps[].requireHistory",
                "apps[].familySharedCountsAsOwn",
            ])
    }

    @Test("A catalogue that begins empty is applied")
    func emptyList() throws {
        let trees = try ["[]", "[{id: b}]"].map {
            try ConfigurationTree(files: [("x", "apps: [{bundleId: a, subscriptionGroups: \($0)}]")], variables: [:])
        }
        for (from, to) in [(trees[0], trees[1]), (trees[1], trees[0])] {
            let difference = ConfigurationDifference(from: from.settings, to: to.settings)
            #expect(!difference.applied.isEmpty && difference.waiting.isEmpty)
        }
    }

    @Test("An app that comes or goes waits, with all of its keys")
    func apps() throws {
        let one = try ConfigurationTree(files: [("one", "apps: [{bundleId: a, eligibility: advise}]")], variables: [:])
        let two = try ConfigurationTree(
            files: [("two", "apps: [{bundleId: a, eligibility: enforce}, {bundleId: b, eligibility: advise}]")], variables: [:])
        let difference = ConfigurationDifference(from: one.settings, to: two.settings)
        #expect(difference.applied.map(\.text) == ["apps[a].eligibility: advise → enforce"])
        #expect(
            difference.waiting.map(\.text) == [
                "apps[b].bundleId: (default) → b", "apps[b].eligibility: (default) → advise",
            ])
        #expect(ConfigurationDifference(from: two.settings, to: one.settings).waiting.count == 2)
    }

    @Test("Recorded facts compare like the settings that they were written from")
    func facts() throws {
        let tree = try ConfigurationTree(
            files: [("one", "{limits: {burst: 7}, apps: [{bundleId: a, sharedSecret: x, subscriptionGroups: [{id: b}]}]}")],
            variables: [:])
        let read = ConfigurationSettings(facts: tree.settings.facts)
        #expect(read.facts == tree.settings.facts)
        #expect(read.settings.mapValues(\.path) == tree.settings.settings.mapValues(\.path))
    }
}
