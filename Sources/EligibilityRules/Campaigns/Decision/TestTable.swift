/// The tests of all live campaigns, each once: what many campaigns ask is looked at once for each customer.
struct TestTable: Sendable {
    /// A test. A class: looking at it copies one reference.
    final class Entry: Sendable {
        let test: CompiledTest
        /// Of a fact that is a number the test itself; nil for all others.
        let number: NumberTest?
        /// The number's place among those that are asked for.
        let numberPlace: Int

        init(_ test: CompiledTest, number: NumberTest?, numberPlace: Int) {
            self.test = test
            self.number = number
            self.numberPlace = numberPlace
        }
    }

    private(set) var entries: [Entry] = []
    /// The facts that are numbers, each once.
    private(set) var numbers: [FactReference] = []
    private var places: [CompiledTest: Int] = [:]

    /// Whether a test is of a fact that the gist of a history does not tell.
    var asksForMoreThanGist: Bool {
        entries.contains { if case .fact(let reference) = $0.test.subject { !reference.fact.isInGist } else { false } }
    }

    mutating func place(of test: CompiledTest) -> Int {
        if let place = places[test] { return place }
        places[test] = entries.count
        if case .fact(let reference) = test.subject, case .number(let number) = test.test {
            let place = numbers.firstIndex(of: reference) ?? numbers.count
            if place == numbers.count { numbers.append(reference) }
            entries.append(Entry(test, number: number, numberPlace: place))
        } else {
            entries.append(Entry(test, number: nil, numberPlace: 0))
        }
        return entries.count - 1
    }
}
