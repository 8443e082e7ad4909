import CPKCS11Shim
import FoundationEssentials
import Glibc
import OfferSigningTesting
import Testing
import WireText

@testable import OfferSigning

/// What a real module does, one test after the other: they share a process, and with it SoftHSM.
@Suite("A key in a hardware module", .serialized)
struct HardwareKeyTests {
    // A token that was put in use stays so: the tests share them as the processes of a service do.
    private static let keys = HardwareKeys(for: .sign)
    /// Whether the machine does nothing else, so that what takes long says something.
    private static let isQuiet = ProcessInfo.processInfo.environment["ACCEPTANCE_SCALE"] == "full"

    private actor Tally {
        private(set) var signed = 0
        private(set) var failed = 0
        private(set) var isOver = false

        func didSign() { signed += 1 }

        func didFail() { failed += 1 }

        func end() { isOver = true }
    }

    private let token: SoftToken
    private let folder: TemporaryFolder

    init() throws {
        token = try SoftToken.shared.get()
        folder = try TemporaryFolder()
    }

    private func key(_ name: String = "object=first", id: String = "HARDWARE12") throws -> SigningKey {
        try Self.keys.load(id: id, at: token.uri(name))
    }

    private func sign(_ messages: [[UInt8]], with key: SigningKey) async throws -> [Signature] {
        try await withCheckedThrowingContinuation { continuation in
            do {
                try key.sign(messages) { continuation.resume(with: $0.mapError { $0 }) }
            } catch {
                continuation.resume(throwing: error)
            }
        }
    }

    /// Whether the openssl program takes the signature.
    private func verifies(_ signature: [UInt8], of message: [UInt8], by key: SigningKey) throws -> Bool {
        try folder.write(key.publicPEM, to: "public.pem")
        try Data(message).write(to: folder.url.appending(path: "message"))
        try Data(signature).write(to: folder.url.appending(path: "signature"))
        let arguments = ["dgst", "-sha256", "-verify", "public.pem", "-signature", "signature", "message"]
        return try OpenSSLCommand.run(arguments, in: folder.url).status == 0
    }

    @discardableResult
    private func seconds(until condition: () async throws -> Bool) async throws -> Double {
        let start = ContinuousClock.now
        while try await !condition() {
            guard .now - start < .seconds(120) else { throw CancellationError() }
            try await Task.sleep(for: .milliseconds(10))
        }
        let (seconds, attoseconds) = (ContinuousClock.now - start).components
        return Double(seconds) + Double(attoseconds) / 1e18
    }

    /// A call of the module that the product has no use for.
    private func call(_ name: String, _ argument: UInt) throws -> UInt {
        let module = try #require(dlopen(SoftToken.module, RTLD_NOW | RTLD_NOLOAD))
        let function = try #require(dlsym(module, name))
        return unsafeBitCast(function, to: (@convention(c) (UInt) -> UInt).self)(argument)
    }

    @Test("It signs, and the openssl program verifies each signature with the public key of the token")
    func signs() async throws {
        let key = try key()
        try token.tool(
            "--token-label", "offers", "--read-object", "--type", "pubkey", "--id", "01", "-o", folder.path("token.der"))
        let der = try [UInt8](Data(contentsOf: folder.url.appending(path: "token.der")))
        #expect(key.fingerprint == Crypto.hexadecimal(Crypto.sha256(der)))
        #expect(key.signsLater && key.outage == nil)
        let messages = (0..<20).map { Array("message \($0)".utf8) }
        let signatures = try await sign(messages, with: key)
        for (message, signature) in zip(messages, signatures) {
            #expect(try verifies(signature.der, of: message, by: key))
            #expect(signature.digest == Crypto.sha256(message))
            #expect(Signature.der(fromRaw: try signature.raw) == signature.der)
        }
        #expect(try !verifies(signatures[0].der, of: messages[1], by: key))
    }

    @Test("A Server API token is signed in it, too")
    func serverAPI() async throws {
        let key = try key()
        let token = ServerAPIToken(issuerID: "issuer", bundleID: "com.example.app", issuedAt: 1_700_000_000, lifetime: 300)
        let parts = try await key.signed(token).split(separator: ".").map { Array($0.utf8) }
        let raw = try #require(Base64.decodeURLSafe(parts[2]))
        #expect(try verifies(#require(Signature.der(fromRaw: raw)), of: parts[0] + [0x2e] + parts[1], by: key))
        #expect(throws: SigningError(.signsLater, "")) { try key.sign(token) }
    }

    @Test("Of many requests at once each gets its own signatures")
    func many() async throws {
        let (first, second) = (try key(), try key("id=%02%ff", id: "HARDWARE34"))
        #expect(first.fingerprint != second.fingerprint)
        let good = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<400 {
                group.addTask {
                    let key = number % 2 == 0 ? first : second
                    let messages = [Array("a \(number)".utf8), Array("b \(number)".utf8)]
                    let signatures = try await sign(messages, with: key)
                    return zip(messages, signatures).allSatisfy { key.isValid(signature: $1.der, of: $0) }
                }
            }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(good == 400)
    }

    @Test("Sessions that are closed under it cost no request", arguments: 0..<5)
    func sessionsClosed(round: Int) async throws {
        let key = try key()
        _ = try await sign([[1]], with: key)
        let link = try TokenLink(to: token.uri("object=first"))
        let closed = try link.module.tokens().map { try call("C_CloseAllSessions", $0.slot) }
        #expect(closed.allSatisfy { $0 == 0 })
        for number in 0..<50 {
            let message = Array("after \(number)".utf8)
            #expect(try await key.isValid(signature: sign([message], with: key)[0].der, of: message))
        }
    }

    @Test("A module that was ended under it is started again")
    func finalized() async throws {
        let key = try key()
        #expect(try call("C_Finalize", 0) == 0)
        let message = Array("after".utf8)
        #expect(try await key.isValid(signature: sign([message], with: key)[0].der, of: message))
    }

    @Test("A token that is taken away is noticed in a second, and back again it signs within five, every time", arguments: 0..<3)
    func tokenAway(round: Int) async throws {
        let key = try key()
        _ = try await sign([[1]], with: key)
        try token.move(away: true)
        let noticed = try await seconds { key.outage != nil }
        #expect(!Self.isQuiet || noticed < 2)
        #expect(throws: SigningError.self) { try key.sign([[1]]) { _ in } }
        #expect(key.outage?.detail.hasPrefix("token offers, object first: ") == true)
        try await Task.sleep(for: .seconds(2))
        try token.move(away: false)
        let healed = try await seconds { key.outage == nil }
        #expect(!Self.isQuiet || healed < 5)
        print("token away: noticed after \(noticed) s, healed after \(healed) s")
        #expect(try await key.isValid(signature: sign([[1]], with: key)[0].der, of: [1]))
    }

    @Test("A caller who waits while the token goes hears of it, and no wrong signature is among the answers")
    func loadDuringOutage() async throws {
        let key = try key()
        let tally = Tally()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<8 {
                group.addTask {
                    var number = 0
                    while await !tally.isOver, !Task.isCancelled {
                        number += 1
                        let message = Array("\(worker) \(number)".utf8)
                        do {
                            guard key.isValid(signature: try await sign([message], with: key)[0].der, of: message) else {
                                throw CancellationError()
                            }
                            await tally.didSign()
                        } catch is SigningError {
                            await tally.didFail()
                            try await Task.sleep(for: .milliseconds(5))
                        }
                    }
                }
            }
            try await seconds { await tally.signed > 100 }
            try token.move(away: true)
            try await seconds { await tally.failed > 100 }
            try token.move(away: false)
            let before = await tally.signed
            try await seconds { await tally.signed > before + 100 }
            await tally.end()
            try await group.waitForAll()
        }
        let (signed, failed) = (await tally.signed, await tally.failed)
        print("load during an outage: \(signed) signed, \(failed) refused")
        try await seconds { key.outage == nil }
    }

    @Test("What is no key to sign with is refused at the load, with the reason")
    func refused() throws {
        for (name, code) in [
            ("object=none", SigningError.Code.notInToken), ("object=wide", .otherCurve), ("object=first;id=%02", .notInToken),
        ] {
            let error = #expect(throws: SigningError.self) { try Self.keys.load(id: "NONE", at: token.uri(name)) }
            #expect(error?.code == code, "\(String(describing: error))")
        }
        #expect(throws: SigningError(.tokenMissing, "")) {
            try Self.keys.load(id: "NONE", at: token.uri("object=first", in: "none"))
        }
        #expect(throws: SigningError(.pinMissing, "")) {
            try HardwareKeys(for: .sign).load(id: "NONE", at: token.uri("object=first", in: "others", pinFile: nil))
        }
        #expect(throws: SigningError(.moduleUnusable, "")) {
            try HardwareKeys(for: .sign).load(id: "NONE", at: PKCS11URI("pkcs11:token=a;object=b?module-path=/etc/hostname"))
        }
        let library = folder.path("library.so")
        try folder.write("", to: "library.so")
        chmod(library, 0o777)
        #expect(throws: SigningError(.fileWritableByOthers, "")) {
            try HardwareKeys(for: .sign).load(id: "NONE", at: PKCS11URI("pkcs11:token=a;object=b?module-path=\(library)"))
        }
    }

    @Test("A wrong PIN is given once; the right one in the file heals it, and the token is not locked")
    func wrongPIN() async throws {
        try token.write(rightPIN: false)
        let key = try Self.keys.load(id: "PINPINPIN1", at: token.uri("object=first", in: "others", pinFile: "changing-pin"))
        #expect(key.outage?.code == .pinRefused)
        #expect(throws: SigningError(.pinRefused, "")) { try key.sign([[1]]) { _ in } }
        try await Task.sleep(for: .seconds(2))
        #expect(key.outage?.code == .pinRefused)
        // Others may read it: not even the right one is given.
        try token.write(rightPIN: true, mode: 0o644)
        try await seconds { key.outage?.code == .fileReadableByOthers }
        try token.write(rightPIN: true)
        let healed = try await seconds { key.outage == nil }
        #expect(!Self.isQuiet || healed < 5)
        print("right PIN: healed after \(healed) s")
        #expect(try await key.isValid(signature: sign([[1]], with: key)[0].der, of: [1]))
    }

    @Test("A public half is to be seen without a log-in")
    func publicHalf() throws {
        let key = try HardwareKeys(for: .look).load(id: "LOOKLOOK12", at: token.uri("object=first", pinFile: nil))
        #expect(try key.fingerprint == self.key().fingerprint)
    }
}
