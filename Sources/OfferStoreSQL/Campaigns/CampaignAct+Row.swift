package import EligibilityRules

extension CampaignAct {
    /// - Parameter column: the first of the columns time, actor and reason. The time may be NULL in a row that an attacker has
    ///   changed.
    package init(_ row: some SQLRow, _ column: Int32) {
        self.init(
            at: row.optionalInstant(column) ?? Instant(milliseconds: 0), by: row.text(column + 1), reason: row.text(column + 2))
    }

    /// The three columns of an act; NULLs for none.
    package static func values(_ act: CampaignAct?) -> [SQLValue] {
        [.instant(act?.at), .text(act?.by), .text(act?.reason)]
    }
}
