/// The tests of all live campaigns, and the steps that lead to them, at fixed addresses.
/// Reading one counts no references.
///
/// Unchecked: immutable.
final class TestLayout: @unchecked Sendable {
    let tests: UnsafeBufferPointer<CompiledTest>
    let looks: UnsafeBufferPointer<TestTable.NumberLook>
    /// The facts that are numbers, each once.
    let numbers: UnsafeBufferPointer<FactReference>
    /// The steps of the audiences.
    let steps: UnsafeBufferPointer<AudienceProgram.Step>

    init(_ table: TestTable) {
        tests = Self.laidOut(table.tests)
        looks = Self.laidOut(table.looks)
        numbers = Self.laidOut(table.numbers)
        steps = Self.laidOut(table.steps)
    }

    deinit {
        Self.remove(tests)
        Self.remove(looks)
        Self.remove(numbers)
        Self.remove(steps)
    }

    private static func laidOut<Element>(_ elements: [Element]) -> UnsafeBufferPointer<Element> {
        let buffer = UnsafeMutableBufferPointer<Element>.allocate(capacity: elements.count)
        _ = buffer.initialize(fromContentsOf: elements)
        return UnsafeBufferPointer(buffer)
    }

    private static func remove<Element>(_ elements: UnsafeBufferPointer<Element>) {
        UnsafeMutableBufferPointer(mutating: elements).deinitialize().deallocate()
    }
}
