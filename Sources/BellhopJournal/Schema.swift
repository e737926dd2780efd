package import BellhopSQLite

/// The tables of the journal, and the steps from one version of them to the next.
package struct Schema: Sendable {
    /// `Bhop` in ASCII: the mark in the file's header that says it is ours.
    package static let applicationID: Int64 = 0x4268_6F70

    /// Each step turns the version before it into `version`; append only, never change one that was released.
    package struct Step: Sendable {
        package var version: Int64
        package var sql: String

        package init(version: Int64, sql: String) {
            self.version = version
            self.sql = sql
        }
    }

    package var steps: [Step]

    package init(steps: [Step]) { self.steps = steps }

    /// The schema of this program.
    package static let current = Schema(steps: [
        Step(version: 1, sql: first), Step(version: 2, sql: second), Step(version: 3, sql: third),
        Step(version: 4, sql: fourth), Step(version: 5, sql: fifth),
    ])

    package var version: Int64 { steps.last?.version ?? 0 }

    /// Brings the database from `version` to the newest one, each step in a transaction of its own.
    package func migrate(_ connection: Connection, from version: Int64) throws(DatabaseError) {
        for step in steps where step.version > version {
            try connection.transaction { () throws(DatabaseError) in
                try connection.execute(step.sql)
                try connection.execute("PRAGMA application_id = \(Self.applicationID)")
                try connection.execute("PRAGMA user_version = \(step.version)")
            }
        }
    }

    /// Where people's addresses stand: every row there with a person's address goes when the person is forgotten. A table of
    /// a later version that holds what people did is added here.
    package static let personal: [(table: String, column: String)] = [
        ("messages", "peer"), ("requests", "jid"), ("people", "jid"), ("audit", "jid"), ("outbox", "jid"),
    ]

    private static let first = """
        CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;

        -- `sent`: every outgoing row up to here was written to the stream. `settled`: no incoming row before it is open.
        CREATE TABLE accounts (
            id INTEGER PRIMARY KEY, jid TEXT NOT NULL UNIQUE,
            sent INTEGER NOT NULL DEFAULT 0, settled INTEGER NOT NULL DEFAULT 0);

        -- Times are milliseconds since 1970 in UTC; `length` is the full length of a body that was cut.
        CREATE TABLE messages (
            seq INTEGER PRIMARY KEY, account INTEGER, direction INTEGER, kind INTEGER, state INTEGER,
            received_at INTEGER, sent_at INTEGER, answers INTEGER, ordinal INTEGER, length INTEGER,
            peer TEXT, resource TEXT, reason TEXT, id TEXT, origin_id TEXT, archive_id TEXT, thread TEXT,
            body TEXT, payload TEXT);

        CREATE TABLE requests (
            number INTEGER PRIMARY KEY, account INTEGER NOT NULL, jid TEXT NOT NULL, state INTEGER NOT NULL,
            first_seen INTEGER NOT NULL, notified_at INTEGER, decided_at INTEGER, decided_by TEXT, rule TEXT);

        CREATE TABLE people (
            account INTEGER NOT NULL, jid TEXT NOT NULL, greeted_at INTEGER,
            PRIMARY KEY (account, jid)) WITHOUT ROWID;

        CREATE VIEW log AS SELECT
            m.seq AS seq, a.jid AS account,
            CASE m.direction WHEN 0 THEN 'in' ELSE 'out' END AS direction,
            m.peer AS peer, m.resource AS resource,
            CASE m.kind WHEN 0 THEN 'chat' WHEN 1 THEN 'normal' WHEN 2 THEN 'groupchat' WHEN 3 THEN 'headline'
                WHEN 4 THEN 'error' WHEN 10 THEN 'own' WHEN 11 THEN 'noSender' WHEN 12 THEN 'carbon'
                WHEN 13 THEN 'forgedCarbon' WHEN 14 THEN 'archive' WHEN 15 THEN 'stale' WHEN 16 THEN 'noBody'
                WHEN 17 THEN 'emptyBody' WHEN 18 THEN 'encrypted' WHEN 19 THEN 'correction' WHEN 20 THEN 'reaction'
                WHEN 21 THEN 'retraction' WHEN 22 THEN 'domainSender' ELSE m.kind END AS kind,
            CASE WHEN m.state = 0 AND m.seq <= a.sent THEN 'sent' ELSE
                CASE m.state WHEN 0 THEN 'queued' WHEN 1 THEN 'handled' WHEN 2 THEN 'received' WHEN 3 THEN 'started'
                    WHEN 4 THEN 'interrupted' WHEN 5 THEN 'declined' WHEN 6 THEN 'sent' WHEN 7 THEN 'acknowledged'
                    WHEN 8 THEN 'delivered' WHEN 9 THEN 'failed' ELSE m.state END END AS state,
            m.reason AS reason, m.body AS body, m.length AS length,
            strftime('%Y-%m-%dT%H:%M:%fZ', m.received_at / 1000.0, 'unixepoch') AS received,
            strftime('%Y-%m-%dT%H:%M:%fZ', m.sent_at / 1000.0, 'unixepoch') AS sent,
            m.id AS id, m.answers AS answers, m.thread AS thread, m.payload AS payload
            FROM messages AS m LEFT JOIN accounts AS a ON a.id = m.account;
        """

    private static let second = """
        -- Runs of what is not open to everybody. `seq` is the row of the message; `duration` is in milliseconds.
        CREATE TABLE audit (
            seq INTEGER PRIMARY KEY, account INTEGER NOT NULL, at INTEGER NOT NULL, jid TEXT NOT NULL,
            command TEXT NOT NULL, typed TEXT, rule TEXT NOT NULL, outcome TEXT NOT NULL, code TEXT, duration INTEGER);
        """

    private static let third = """
        -- `acknowledged`: every outgoing row up to here in state 0 is known to be with the server.
        ALTER TABLE accounts ADD COLUMN acknowledged INTEGER NOT NULL DEFAULT 0;

        -- What resuming the account's stream takes (XEP-0198); no row where nothing can be resumed. `sent` and
        -- `acknowledged` are the account's marks at that moment, which may be ahead of those in `accounts`.
        CREATE TABLE streams (
            account INTEGER PRIMARY KEY, state TEXT NOT NULL,
            sent INTEGER NOT NULL DEFAULT 0, acknowledged INTEGER NOT NULL DEFAULT 0);

        -- Messages of ours that came back. `failed_at` is null once one is to be sent again; its row goes when it was.
        CREATE TABLE outbox (
            seq INTEGER PRIMARY KEY, account INTEGER NOT NULL, jid TEXT NOT NULL, failed_at INTEGER);
        CREATE INDEX outbox_failed ON outbox (failed_at);
        INSERT INTO outbox SELECT seq, account, peer, received_at FROM messages
            WHERE direction = 1 AND state = 9 AND account IS NOT NULL AND peer IS NOT NULL;

        -- How far the archive on the server was read: behind the message `after_id`, which was filed at `start`, or from `start` on.
        -- `state` is not 0 while a reading is under way; else what was logged behind the row `seq` may be further.
        CREATE TABLE archives (
            account INTEGER PRIMARY KEY, after_id TEXT, start INTEGER NOT NULL, state INTEGER NOT NULL,
            seq INTEGER NOT NULL);

        DROP VIEW log;
        CREATE VIEW log AS SELECT
            m.seq AS seq, a.jid AS account,
            CASE m.direction WHEN 0 THEN 'in' ELSE 'out' END AS direction,
            m.peer AS peer, m.resource AS resource,
            CASE m.kind WHEN 0 THEN 'chat' WHEN 1 THEN 'normal' WHEN 2 THEN 'groupchat' WHEN 3 THEN 'headline'
                WHEN 4 THEN 'error' WHEN 10 THEN 'own' WHEN 11 THEN 'noSender' WHEN 12 THEN 'carbon'
                WHEN 13 THEN 'forgedCarbon' WHEN 14 THEN 'archive' WHEN 15 THEN 'stale' WHEN 16 THEN 'noBody'
                WHEN 17 THEN 'emptyBody' WHEN 18 THEN 'encrypted' WHEN 19 THEN 'correction' WHEN 20 THEN 'reaction'
                WHEN 21 THEN 'retraction' WHEN 22 THEN 'domainSender' ELSE m.kind END AS kind,
            CASE WHEN m.state = 0 AND m.seq <= a.acknowledged THEN 'acknowledged'
                WHEN m.state = 0 AND m.seq <= a.sent THEN 'sent' ELSE
                CASE m.state WHEN 0 THEN 'queued' WHEN 1 THEN 'handled' WHEN 2 THEN 'received' WHEN 3 THEN 'started'
                    WHEN 4 THEN 'interrupted' WHEN 5 THEN 'declined' WHEN 6 THEN 'sent' WHEN 7 THEN 'acknowledged'
                    WHEN 8 THEN 'delivered' WHEN 9 THEN 'failed' WHEN 10 THEN 'requeued' WHEN 11 THEN 'dropped'
                    ELSE m.state END END AS state,
            m.reason AS reason, m.body AS body, m.length AS length,
            strftime('%Y-%m-%dT%H:%M:%fZ', m.received_at / 1000.0, 'unixepoch') AS received,
            strftime('%Y-%m-%dT%H:%M:%fZ', m.sent_at / 1000.0, 'unixepoch') AS sent,
            m.id AS id, m.answers AS answers, m.thread AS thread, m.payload AS payload
            FROM messages AS m LEFT JOIN accounts AS a ON a.id = m.account;
        """

    private static let fourth = """
        -- How an account logs in: the server proved at `proved_at` by `mechanism` that it knows the password, and since then PLAIN is
        -- not used.
        CREATE TABLE logins (account INTEGER PRIMARY KEY, mechanism TEXT NOT NULL, proved_at INTEGER NOT NULL);
        """

    private static let fifth = """
        -- What the server gave out to be shown in place of the password: secrets. The newest has age 0; the one before it stays
        -- until the server has taken the newest. They count beside the password of that digest only.
        CREATE TABLE tokens (
            account INTEGER NOT NULL, age INTEGER NOT NULL, mechanism TEXT NOT NULL, secret TEXT NOT NULL,
            count INTEGER NOT NULL, expires_at INTEGER, password_digest TEXT NOT NULL, salt TEXT NOT NULL,
            PRIMARY KEY (account, age)) WITHOUT ROWID;
        """
}
