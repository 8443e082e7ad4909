extension SQLiteMigrations {
    /// What decisions are compared with at every look: their events, found by action, and the rows before these in their chains.
    static let decisions = """
        -- SHA-256 of the public key.
        ALTER TABLE key_decision ADD COLUMN fingerprint TEXT;
        -- No program changes or removes decisions. If an operator or an attacker does, processes look at once.
        CREATE TRIGGER key_decision_changed AFTER UPDATE ON key_decision
            BEGIN UPDATE revision SET number = number + 1 WHERE topic = 'keys'; END;
        CREATE TRIGGER key_decision_removed AFTER DELETE ON key_decision
            BEGIN UPDATE revision SET number = number + 1 WHERE topic = 'keys'; END;
        CREATE INDEX audit_event_by_chain ON audit_event (chain);
        CREATE INDEX audit_event_of_keys ON audit_event (id)
            WHERE action IN ('key.activate', 'key.load', 'key.revoke', 'key.rollback', 'key.stage');
        CREATE INDEX audit_event_of_access ON audit_event (id) WHERE action IN ('access.create', 'access.revoke');
        CREATE INDEX audit_event_of_states ON audit_event (id) WHERE action IN (
            'campaign.approve', 'campaign.archive', 'campaign.create', 'campaign.discard', 'campaign.end',
            'campaign.note', 'campaign.pause', 'campaign.publish', 'campaign.reject', 'campaign.resume',
            'campaign.rollback', 'campaign.save', 'campaign.submit', 'campaign.testers', 'campaign.unarchive',
            'event.disable', 'event.enable', 'key.agree', 'key.propose', 'key.withdraw', 'segment.remove',
            'segment.save');
        """
}
