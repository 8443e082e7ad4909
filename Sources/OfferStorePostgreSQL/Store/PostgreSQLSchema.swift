import OfferStore

/// Compares the schema of the database with what the migrations make.
enum PostgreSQLSchema {
    // A partition may be made or dropped between two looks at the catalogue.
    private static let attempts = 3

    /// Throws if the schema is not that of this release.
    static func requireLatest(_ transaction: Transaction) throws {
        let own = PostgreSQLMigrations.own
        try require(own.schema(own.latest, transaction), transaction)
    }

    /// Throws if the schema is not what migrations have made, besides the partitions, which the store's own rows name.
    static func require(_ made: StoreSchema, _ transaction: Transaction) throws {
        let name = "the database"
        try PostgreSQLCatalogue.schemaOutside(transaction).require(StoreSchema(), of: name)
        for attempt in 1...attempts {
            let found = try PostgreSQLCatalogue.schema("current_schema()::regnamespace", transaction)
            // What says which partitions there are is read below.
            try found.divided(by: PartitionSamples.isOfRanges).matching.require(
                made.divided(by: PartitionSamples.isOfRanges).matching, of: name)
            let expected = try PartitionSamples.expand(made, transaction)
            do { return try found.require(expected, of: name) } catch { if attempt == attempts { throw error } }
        }
    }
}
