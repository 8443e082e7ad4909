import OfferStore
import TestRandomness

/// Who owns what, kept in the plainest way, to check the store's answers against.
struct IdentityModel {
    enum Step {
        case event(String)
        case claim(String, String, BindingProof)
        case latest(String, String)
        case unbind(String, String)
        case join(String, String)
    }

    static let names = ["ada", "bob", "0a7e5b1c-0000-4000-8000-00000000000a", "0a7e5b1c-0000-4000-8000-00000000000b", "anon-1"]
    /// By original transaction; the last two were bought with the id of one of the customers.
    static let tokens: [String: String?] = ["1": nil, "2": nil, "3": names[2], "4": names[3]]
    static let chains = tokens.keys.sorted()

    private(set) var owners: [String: (customer: String, proof: BindingProof)] = [:]
    private(set) var seen: Set<String> = []
    private var aliases: [String: String] = [:]

    /// Follows aliases as far as they lead.
    func customer(_ name: String) -> String {
        var name = name
        while let next = aliases[name] { name = next }
        return name
    }

    static func randomStep(_ random: inout SplitMix64) -> Step {
        let (chain, name) = (random.any(of: chains), random.any(of: names))
        switch random.below(8) {
        case 0: return .event(chain)
        case 1, 2: return .claim(chain, name, .claimed)
        case 3: return .claim(chain, name, .vouched)
        case 4: return .claim(chain, name, .transferred)
        case 5: return .latest(chain, name)
        case 6: return .unbind(chain, name)
        default: return .join(name, random.any(of: names))
        }
    }

    mutating func take(_ step: Step) {
        switch step {
        case .event(let chain): seen.insert(chain)
        case .claim(let chain, let name, let proof): claim(chain, customer(name), proof)
        case .latest(let chain, let name):
            if owners[chain]?.customer != customer(name) { owners[chain] = (customer(name), .claimed) }
            seen.insert(chain)
        case .unbind(let chain, let name): if owners[chain]?.customer == customer(name) { owners[chain] = nil }
        case .join(let name, let other):
            guard customer(name) == name, customer(other) != name else { return }
            aliases[name] = customer(other)
            let target = customer(other)
            for (chain, owner) in owners where owner.customer == name { owners[chain] = (target, owner.proof) }
        }
    }

    private mutating func claim(_ chain: String, _ customer: String, _ proof: BindingProof) {
        seen.insert(chain)
        guard let owner = owners[chain] else { return owners[chain] = (customer, proof) }
        if owner.customer == customer {
            owners[chain]?.proof = max(owner.proof, proof)
        } else if strength(customer, proof, chain) > strength(owner.customer, owner.proof, chain) {
            owners[chain] = (customer, proof)
        }
    }

    private func strength(_ customer: String, _ proof: BindingProof, _ chain: String) -> Int {
        let isToken = Self.tokens[chain]!.map { self.customer($0) == customer } ?? false
        switch proof {
        case .claimed: return isToken ? 2 : 1
        case .vouched: return isToken ? 4 : 3
        case .transferred: return 5
        }
    }
}
