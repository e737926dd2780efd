import Bellhop
import BellhopXMPP
import Testing

@Suite("Tables")
struct TablesTests {
    @Test("the roster is aligned by what names take on a terminal")
    func roster() {
        let rows = [
            RosterRow(
                jid: "ann@example.org", name: "Ann", state: "both", groups: ["Friends", "Work"],
                online: [
                    .init(name: "phone", show: "away", status: "at lunch"), .init(name: "desk", show: "available"),
                ]),
            RosterRow(jid: "yama@example.org", name: "山田太郎", state: "to", asks: true),
            RosterRow(
                jid: "x@example.org", state: "none", online: [.init(name: "\u{1B}[2J", show: "chat", status: "")]),
        ]
        #expect(
            RosterTable.text(rows) == """
                NAME      JID               STATE  ASK  GROUPS         ONLINE
                Ann       ann@example.org   both        Friends, Work  phone (away: at lunch)
                                                                       desk (available)
                山田太郎  yama@example.org  to     ask
                          x@example.org     none                       \\u{1b}[2J (chat)

                """)
        #expect(RosterTable.text([]) == "The roster is empty.\n")
        #expect(
            RosterTable.json(Array(rows[..<2]))
                == "{\"jid\":\"ann@example.org\",\"name\":\"Ann\",\"state\":\"both\",\"ask\":false,\"groups\":[\"Friends\",\"Work\"],"
                + "\"online\":[{\"resource\":\"phone\",\"show\":\"away\",\"status\":\"at lunch\"},"
                + "{\"resource\":\"desk\",\"show\":\"available\",\"status\":null}]}\n"
                + "{\"jid\":\"yama@example.org\",\"name\":\"山田太郎\",\"state\":\"to\",\"ask\":true,\"groups\":[],\"online\":[]}\n"
        )
    }

    @Test("a cell of a megabyte at the end of one line makes no other line longer", .timeLimit(.minutes(1)))
    func enormousCell() {
        let enormous = String(repeating: "x", count: 1_000_000)
        var table = TextTable()
        table.add(["long", enormous])
        for _ in 0..<5_000 { table.add(["short", "y", ""]) }
        #expect(table.text == "long   \(enormous)\n" + String(repeating: "short  y\n", count: 5_000))
    }

    @Test("a contact of whom nobody knows where they are is not said to be offline")
    func unknownPresence() {
        let rows = [RosterRow(jid: "ann@example.org", state: "both", online: nil)]
        #expect(
            RosterTable.text(rows) == """
                NAME  JID              STATE  ASK  GROUPS  ONLINE
                      ann@example.org  both                ?

                """)
        #expect(RosterTable.json(rows).hasSuffix("\"online\":null}\n"))
    }

    @Test("requests show their number, who asks and since when")
    func requests() {
        let rows = [RequestRow(number: 7, jid: "carol@else.example", askedAt: Timestamp(milliseconds: 0))]
        #expect(
            RequestsTable.text(rows, offset: { _ in -3600 }) == """
                NUMBER  JID                 SINCE
                7       carol@else.example  1969-12-31 23:00:00 -01:00

                """)
        #expect(RequestsTable.text([], offset: { _ in 0 }) == "No request is waiting.\n")
        #expect(
            RequestsTable.json(rows)
                == "{\"number\":7,\"jid\":\"carol@else.example\",\"since\":\"1970-01-01T00:00:00.000Z\"}\n")
    }

    @Test("a dry run has address, action and what decides")
    func dryRun() {
        #expect(
            DryRunLine.text(jid: "a\tb\n", action: "accept", decider: "subscriptions.rules[2]")
                == "a\\tb\\n\taccept\tsubscriptions.rules[2]\n")
    }

    @Test("check says what a configuration means, without secrets")
    func summary() throws {
        let text = """
            {"account": {"jid": "Bot@Example.org", "password": "hunter2", "server": "192.0.2.1:5223"},
             "admins": ["ann@example.org"], "roles": {"ops": ["Bob@example.org", "group:Night"], "all": ["*.example.org"]},
             "commands": {"access": {"restart": {"allow": ["ops", "admins"]}, "uptime": {"open": true}}}, "presence": {"status": "here"},
             "subscriptions": {"rules": [{"match": "*@Spam.example", "action": "block"},
              {"match": "example.org", "action": "accept", "group": "Work", "limit": {"count": 5, "per": "60s"}}]}}
            """
        let shown = ConfigurationSummary.text(try FakeSurroundings().load(text).get())
        #expect(
            shown == """
                configuration     bot.json
                JID               bot@example.org
                resource          bellhop
                password          given
                stream domain     example.org
                server            192.0.2.1, port 5223
                encryption        TLS required
                certificate name  example.org
                trust             the system's authorities
                PLAIN             not allowed
                channel binding   auto
                jabber:iq:auth    not allowed
                SASL2             where offered
                login limit       30s
                ping              after 1m of silence, answer within 20s
                after an outage   back at a random moment within 40s
                admins            ann@example.org
                roles             ops: bob@example.org, group:Night
                                  all: *.example.org
                access            restart: ops, admins
                                  uptime: open
                presence          available, here, priority 0
                requests          0: *@spam.example block
                                  1: example.org accept, group Work, 5 in 1m
                                  default: ask
                limit per domain  off
                greeting          none
                commands          prefix !, at most 2m old, time limit 30s, input limit 65536 bytes, loop brake 4, language any
                answers           at most 3 messages of 2400 characters at once, typing shown
                troubles          told to the admins
                journal           /home/op/.local/state/bellhop/echobot/journal.db, durability normal
                log lines         info, text

                """)
    }

    @Test("check says what is not kept, and where the backups are")
    func care() throws {
        let text = """
            {"account": {"jid": "bot@example.org", "password": "x"}, "journal": {"path": "/s/j.db", "bodies": false,
              "keep": "90d", "backup": {"every": "24h"}}}
            """
        let facts = ConfigurationSummary.facts(try FakeSurroundings().load(text).get())
        let shown = facts.filter { ["texts", "messages", "backups"].contains($0.name) }.map {
            "\($0.name): \($0.value)"
        }
        #expect(shown == ["texts: not kept", "messages: kept for 90d", "backups: every 1d, 7 kept, in /s"])
    }

    @Test("the audit has a line for each run, whatever was typed")
    func audit() {
        let rows = [
            AuditRow(
                row: 7, time: Timestamp(milliseconds: 0), jid: "ann@example.org", command: "restart",
                typed: "restart nginx", rule: "roles.ops[2]", outcome: "answered", duration: 320),
            AuditRow(
                row: 9, time: Timestamp(milliseconds: 1_000), jid: "eve@evil.example", command: "restart",
                typed: "\u{1B}[2Jrestart\nx", rule: "commands.access.restart", outcome: "denied"),
            AuditRow(
                row: 11, time: Timestamp(milliseconds: 2_000), jid: "ann@example.org", command: "OnMessage", typed: "",
                rule: "admins[0]", outcome: "failed", code: "E7", duration: 0),
        ]
        #expect(
            AuditTable.text(rows, offset: { _ in 0 }) == """
                TIME                        WHO               OUTCOME    MS   DECIDED BY               TYPED
                1970-01-01 00:00:00 +00:00  ann@example.org   answered   320  roles.ops[2]             restart nginx
                1970-01-01 00:00:01 +00:00  eve@evil.example  denied          commands.access.restart  \\u{1b}[2Jrestart…
                1970-01-01 00:00:02 +00:00  ann@example.org   failed E7  0    admins[0]                OnMessage

                """)
        #expect(
            AuditTable.json(Array(rows.suffix(2))) == """
                {"number":9,"time":"1970-01-01T00:00:01.000Z","jid":"eve@evil.example","command":"restart",\
                "typed":"\\u001b[2Jrestart\\nx","rule":"commands.access.restart","outcome":"denied","code":null,\
                "milliseconds":null}
                {"number":11,"time":"1970-01-01T00:00:02.000Z","jid":"ann@example.org","command":"OnMessage","typed":"",\
                "rule":"admins[0]","outcome":"failed","code":"E7","milliseconds":0}

                """)
        #expect(
            AuditTable.text([], offset: { _ in 0 })
                == "Nothing was run in that time that is not open to everybody.\n")
    }
}
