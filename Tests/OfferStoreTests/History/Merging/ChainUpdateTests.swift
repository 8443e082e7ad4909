import EligibilityRules
import OfferStore
import OfferStoreTesting
import Testing

@Suite("What becomes of a chain")
struct ChainUpdateTests {
    private static func stored(
        _ chain: PurchaseChain = .sample("1"),
        of customerID: String? = nil,
        isDamaged: Bool = false
    ) -> StoredChain {
        StoredChain(
            id: 7, owner: CustomerClaim(customerID, .vouched), updatedAt: .testNow,
            chain: isDamaged ? PurchaseChain(originalID: "1") : chain,
            isDamaged: isDamaged)
    }

    private func update(
        of known: StoredChain?,
        with statement: PurchaseChain = .sample("1"),
        predecessor: StoredChain? = nil,
        claimedBy claimant: String? = nil,
        indexesKnown: Bool = false
    ) -> ChainUpdate {
        ChainUpdate(
            of: known, with: statement, ChainOwnership(known, predecessor: predecessor),
            claimedBy: CustomerClaim(claimant, .vouched), at: .hours(1),
            indexesKnown: indexesKnown)
    }

    @Test(
        "A chain is its owner's, or its predecessor's owner's, or else goes to who comes with it",
        arguments: [
            (nil, nil, nil, nil, false), (nil, nil, "ada", "ada", false), ("ada", nil, nil, "ada", false),
            ("ada", nil, "ada", "ada", false), ("ada", nil, "bob", "ada", true), (nil, "ada", nil, "ada", false),
            (nil, "ada", "ada", "ada", false), (nil, "ada", "bob", "ada", true), ("ada", "bob", "bob", "ada", true),
            ("ada", "bob", "ada", "ada", false), ("\u{E9}", nil, "e\u{301}", "\u{E9}", true),
        ] as [(String?, String?, String?, String?, Bool)])
    func ownership(owner: String?, ofPredecessor: String?, claimant: String?, customer: String?, isRefused: Bool) {
        let ownership = ChainOwnership(Self.stored(of: owner), predecessor: Self.stored(of: ofPredecessor))
        let claim = CustomerClaim(claimant, .vouched)
        #expect(ownership.owner(claimedBy: claim).map { Array($0.customerID.utf8) } == customer.map { Array($0.utf8) })
        #expect(ownership.refuses(claim) == isRefused)
        let update = update(of: Self.stored(of: owner), predecessor: Self.stored(of: ofPredecessor), claimedBy: claimant)
        #expect((update.outcome == .boundToAnotherCustomer) == isRefused)
        #expect(!isRefused || (update.row == nil && update.transactions.isEmpty && !update.isNewlyBound))
    }

    @Test(
        "Who has it keeps it from all but a better proof, which the purchase's own token is, too",
        arguments: [
            (.claimed, .claimed, nil, true), (.claimed, .vouched, nil, false), (.vouched, .claimed, nil, true),
            (.vouched, .vouched, nil, true), (.vouched, .claimed, "bob", true), (.vouched, .vouched, "bob", false),
            (.claimed, .claimed, "bob", false), (.claimed, .vouched, "ada", false),
            (.transferred, .claimed, "bob", true), (.transferred, .vouched, nil, true), (.vouched, .transferred, "ada", false),
            (.transferred, .transferred, nil, true), (.claimed, .claimed, "eve", true),
        ] as [(BindingProof, BindingProof, String?, Bool)])
    func proofs(_ owned: BindingProof, _ claimed: BindingProof, token: String?, isRefused: Bool) {
        let known = StoredChain(id: 7, owner: CustomerClaim("ada", owned), updatedAt: .testNow, chain: .sample("1"))
        var ownership = ChainOwnership(known, predecessor: nil)
        if let token { ownership.tokenNames = [ExactText(token)] }
        #expect(ownership.refuses(CustomerClaim("bob", claimed)) == isRefused)
        #expect(!ownership.refuses(CustomerClaim("ada", claimed)))
        // One's own better proof is kept.
        #expect(ownership.owner(claimedBy: CustomerClaim("ada", claimed)) == CustomerClaim("ada", max(owned, claimed)))
    }

    @Test("A predecessor is asked for where no customer is known, as the source names it or else as it is stored")
    func predecessor() {
        var (first, second) = (PurchaseChain.sample("1"), PurchaseChain.sample("1"))
        (first.previousOriginalID, second.previousOriginalID) = ("5", "6")
        let unnamed = PurchaseChain.sample("1")
        #expect(ChainOwnership.predecessor(of: first, nil) == "5")
        #expect(ChainOwnership.predecessor(of: first, Self.stored(second)) == "5")
        #expect(ChainOwnership.predecessor(of: unnamed, Self.stored(second)) == "6")
        #expect(ChainOwnership.predecessor(of: unnamed, Self.stored()) == nil)
        #expect(ChainOwnership.predecessor(of: first, Self.stored(second, of: "ada")) == nil)
    }

    @Test("What is new is written as it is, and led to by its transactions")
    func insertion() throws {
        let chain = PurchaseChain.sample("1", periods: 0..<3, token: "t")
        let update = update(of: nil, with: chain, claimedBy: "ada")
        let row = try #require(update.row)
        #expect(update.outcome == .changed && update.isNewlyBound)
        #expect(update.transactions == chain.transactions)
        #expect(row.chain == chain && row.owner?.customerID == "ada" && row.updatedAt == .hours(1) && row.isSubscription)
        #expect(row.pollAt == PollSchedule.next(for: chain, after: .hours(1)))
        #expect(row.record == ChainRecord.bytes(of: chain))
        // A reader's clock may be ten minutes behind.
        #expect(row.summary == ChainRecord.bytes(of: chain.summary(from: .hours(1).advanced(by: -600_000))))
        #expect(!self.update(of: nil, with: chain).isNewlyBound)
    }

    @Test("What is known is written no more, and is indexed only where that may have been lost")
    func repetition() {
        let known = Self.stored(.sample("1", periods: 0..<3), of: "ada")
        for claimant in [nil, "ada"] {
            let update = update(of: known, claimedBy: claimant)
            #expect(update.outcome == .unchanged && update.row == nil && !update.isNewlyBound)
            #expect(update.transactions.isEmpty)
        }
        #expect(update(of: known, indexesKnown: true).transactions.map(\.id) == ["1"])
    }

    @Test("Of a longer history what is new is indexed, or all of it where that may have been lost")
    func news() {
        let known = Self.stored(.sample("1", periods: 0..<2), of: "ada")
        let statement = PurchaseChain.sample("1", periods: 1..<4)
        let update = update(of: known, with: statement)
        #expect(update.outcome == .changed && !update.isNewlyBound)
        #expect(update.row?.chain == .sample("1", periods: 0..<4))
        #expect(update.row?.owner?.customerID == "ada")
        #expect(update.transactions.map(\.id) == ["102", "103"])
        #expect(self.update(of: known, with: statement, indexesKnown: true).transactions.map(\.id) == ["1", "101", "102", "103"])
    }

    @Test("That a known transaction redeemed an offer is news")
    func redemption() {
        let transaction = PurchaseTransaction(
            id: "1", productID: "pro.monthly", purchasedAt: .testNow,
            terms: .init(offer: RedeemedOffer(kind: .promotional, id: "half")))
        let update = update(of: Self.stored(), with: PurchaseChain(originalID: "1", transactions: [transaction]))
        #expect(update.transactions.map(\.id) == ["1"])
        #expect(update.transactions.map(RedemptionRecord.init).map { $0?.offerID } == ["half"])
    }

    @Test("A chain that finds its customer is written, though nothing is new, and has its successors follow")
    func binding() {
        let claimed = update(of: Self.stored(), claimedBy: "ada")
        let inherited = update(of: Self.stored(), predecessor: Self.stored(of: "ada"))
        for update in [claimed, inherited] {
            #expect(update.outcome == .changed && update.isNewlyBound)
            #expect(update.row?.owner?.customerID == "ada")
            #expect(update.row?.chain == .sample("1"))
        }
    }

    @Test("A record that cannot be read is replaced by what comes, and stays its customer's")
    func mending() {
        let damaged = Self.stored(of: "ada", isDamaged: true)
        let update = update(of: damaged, with: PurchaseChain(originalID: "1"))
        #expect(update.outcome == .changed && update.row?.owner?.customerID == "ada" && !update.isNewlyBound)
        #expect(self.update(of: damaged, claimedBy: "bob").outcome == .boundToAnotherCustomer)
        #expect(self.update(of: damaged).transactions.map(\.id) == ["1"])
    }

    @Test("Of two spellings of one text the later bytes are news")
    func spellings() {
        let (composed, decomposed) = (
            PurchaseChain(originalID: "1", groupID: "\u{E9}"), PurchaseChain(originalID: "1", groupID: "e\u{301}")
        )
        #expect(composed == decomposed)
        #expect(update(of: Self.stored(decomposed), with: composed).outcome == .changed)
        #expect(update(of: Self.stored(composed), with: decomposed).outcome == .unchanged)
    }
}
