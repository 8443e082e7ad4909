/// SHA-256 as FIPS 180-4 writes it.
enum PlainSHA256 {
    // The first 32 bits of the fractional parts of square and cube roots of primes.
    private static let primes = (2...311).filter { number in !(2..<number).contains { number % $0 == 0 } }
    private static let start = primes.prefix(8).map { fraction(of: Double($0).squareRoot()) }
    private static let rounds = primes.prefix(64).map { fraction(of: cubeRoot($0)) }

    static func digest(_ message: [UInt8]) -> [UInt8] {
        var padded = message + [0x80]
        while padded.count % 64 != 56 { padded.append(0) }
        padded += withUnsafeBytes(of: UInt64(message.count * 8).bigEndian) { Array($0) }
        var state = start
        for block in stride(from: 0, to: padded.count, by: 64) { compress(&state, padded[block..<(block + 64)]) }
        return state.flatMap { word in withUnsafeBytes(of: word.bigEndian) { Array($0) } }
    }

    private static func compress(_ state: inout [UInt32], _ block: ArraySlice<UInt8>) {
        var words = (0..<16).map { index in
            (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(block[block.startIndex + 4 * index + $1]) }
        }
        for index in 16..<64 {
            let (a, b) = (words[index - 15], words[index - 2])
            let small = turned(a, 7) ^ turned(a, 18) ^ (a >> 3)
            let large = turned(b, 17) ^ turned(b, 19) ^ (b >> 10)
            words.append(words[index - 16] &+ small &+ words[index - 7] &+ large)
        }
        var v = state
        for index in 0..<64 {
            let sum = turned(v[4], 6) ^ turned(v[4], 11) ^ turned(v[4], 25)
            let choice = (v[4] & v[5]) ^ (~v[4] & v[6])
            let first = v[7] &+ sum &+ choice &+ rounds[index] &+ words[index]
            let other = turned(v[0], 2) ^ turned(v[0], 13) ^ turned(v[0], 22)
            let majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2])
            v = [first &+ other &+ majority, v[0], v[1], v[2], v[3] &+ first, v[4], v[5], v[6]]
        }
        for index in 0..<8 { state[index] &+= v[index] }
    }

    private static func turned(_ word: UInt32, _ count: UInt32) -> UInt32 { word >> count | word << (32 - count) }

    private static func cubeRoot(_ number: Int) -> Double {
        var root = 1.0
        for _ in 0..<60 { root -= (root * root * root - Double(number)) / (3 * root * root) }
        return root
    }

    private static func fraction(of root: Double) -> UInt32 {
        UInt32((root - root.rounded(.down)) * 4_294_967_296)
    }
}
