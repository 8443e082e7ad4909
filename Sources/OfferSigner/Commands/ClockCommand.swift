import ArgumentParser
import EligibilityRules
import OfferService
import OfferStore

/// Commands about the clock.
struct ClockCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clock",
        abstract: "Tell the store that the clock is right.",
        discussion: "A running service hears of it within two seconds.",
        subcommands: [Accept.self, Repair.self]
    )

    /// Makes services accept the time that the machine shows, and sign.
    struct Accept: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Accept the time that this machine shows, after a long pause or when the clock was set."
        )

        @OptionGroup var options: ConfigurationOptions

        func run() async throws {
            let configuration = try options.load()
            let store = try configuration.openSigningStore(onWait: StandardError.note)
            let clock = store.processes.clock
            let now = SystemEnvironment.live.now()
            try await store.audit.record([
                Origin.commandLine.event(.acceptClock, at: now, object: AuditObject(after: now.iso8601))
            ])
            try await clock.accept(now)
            print("accepted \(now.iso8601)")
            let latest = try await clock.clockRecord().latest
            if let latest, latest.milliseconds > now.milliseconds + SigningClock.tolerance {
                StandardError.note(
                    "the latest signature is of \(latest.iso8601): nothing is signed before, unless you run clock repair")
            }
            try await store.closeSealed(configuration)
        }
    }

    /// Makes signatures that lie in the future, because a wrong clock has made them, no longer count as the latest one.
    struct Repair: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Sign again on a store whose latest signature is in the future.",
            discussion: "Deletes and changes no row: every nonce stays used. Accepts the time that this machine shows."
        )

        @OptionGroup var options: ConfigurationOptions

        func run() async throws {
            let configuration = try options.load()
            let store = try configuration.openSigningStore(onWait: StandardError.note)
            let clock = store.processes.clock
            let now = SystemEnvironment.live.now()
            let latest = try await clock.clockRecord().latest
            guard let latest, latest > now else {
                throw CommandRefusal("the latest signature is not in the future: there is nothing to repair")
            }
            try await store.audit.record([
                Origin.commandLine.event(.repairClock, at: now, object: AuditObject(before: latest.iso8601, after: now.iso8601))
            ])
            let count = try await clock.repair(at: now)
            print("\(count) requests were signed after \(now.iso8601), the latest at \(latest.iso8601); they no longer count")
            try await store.closeSealed(configuration)
        }
    }
}
