extension WrongConfigurationTests {
    /// Cases whose text stands in the account, in the second line.
    static let inAccount: [(text: String, complaints: [String])] =
        [
            (
                "\"server\": \"https://example.org\"",
                [
                    "2:11: account.server: This is no server; write a host name or an IP address, with "
                        + "a port behind a colon if need be, like \"xmpp.example.org:5222\" or "
                        + "\"[2001:db8::1]:5222\"."
                ]
            ),
            (
                "\"server\": \"xmpp://example.org:5222\"",
                [
                    "2:11: account.server: Leave xmpp:// out: \"example.org:5222\", or \"xmpps://example.org:5222\" "
                        + "where TLS comes first."
                ]
            ),
            (
                "\"nameServer\": \"ns.example.org\"",
                [
                    "2:15: account.nameServer: This is no name server; write its IP address, with a port behind a colon "
                        + "if need be, like \"192.0.2.53\" or \"[2001:db8::53]:5353\"."
                ]
            ),
            (
                "\"nameServer\": \"xmpps://192.0.2.1\"",
                [
                    "2:15: account.nameServer: This is no name server; write its IP address, with a port behind a colon "
                        + "if need be, like \"192.0.2.53\" or \"[2001:db8::53]:5353\"."
                ]
            ),
            (
                "\"tls\": \"off\", \"server\": \"xmpps://localhost\"",
                [
                    "2:8: account.tls: \"off\" is for a stream without TLS, and account.server asks for direct TLS; leave "
                        + "one of them out."
                ]
            ),
            (
                "\"ping\": {\"every\": \"0s\", \"timeout\": \"off\"}",
                [
                    "2:19: account.ping.every: This must be at least \"1s\" and at most \"1d\".",
                    "2:36: account.ping.timeout: This is no duration; write a whole number and s, m, h or d, "
                        + "like \"30s\", \"2m\", \"1h\" or \"2d\".",
                ]
            ),
            (
                "\"reconnect\": {\"spread\": \"11m\"}",
                [
                    "2:25: account.reconnect.spread: This must be at least \"0s\" and at most \"10m\"."
                ]
            ),
            (
                "\"ping\": {\"every\": 0}",
                [
                    "2:19: account.ping.every: This must be a duration like \"30s\", or \"off\", not a number."
                ]
            ),
            (
                "\"server\": \"example.org:99999\"",
                [
                    "2:11: account.server: The port must be a number from 1 to 65535."
                ]
            ),
            (
                "\"server\": \"example.org:xmpp\"",
                [
                    "2:11: account.server: The port must be a number from 1 to 65535."
                ]
            ),
            (
                "\"server\": {\"port\": 5222}",
                [
                    "2:11: account.server.host: It is missing; add \"host\": \"192.0.2.1\"."
                ]
            ),
            (
                "\"server\": {\"host\": \"example.org:5222\"}",
                [
                    "2:20: account.server.host: This is no server; write a host name or an IP address, "
                        + "with a port behind a colon if need be, like \"xmpp.example.org:5222\" or "
                        + "\"[2001:db8::1]:5222\"."
                ]
            ),
            (
                "\"server\": {\"host\": \"example.org\", \"port\": 0}",
                [
                    "2:43: account.server.port: This must be at least 1 and at most 65535."
                ]
            ),
            (
                "\"server\": {\"host\": \"example.org\", \"prot\": 5222}",
                [
                    "2:35: account.server.prot: There is no such key; did you mean \"port\"?"
                ]
            ),
            (
                "\"server\": 5222",
                [
                    "2:11: account.server: This must be text like \"xmpp.example.org:5222\", or an "
                        + "object with host and port, not a number."
                ]
            ),
            (
                "\"resource\": \"\"",
                [
                    "2:13: account.resource: The text is empty; leave the key out or write something."
                ]
            ),
            (
                "\"resource\": 5",
                [
                    "2:13: account.resource: This must be text, not a number."
                ]
            ),
            (
                "\"timeout\": \"0s\"",
                [
                    "2:12: account.timeout: This must be at least \"1s\" and at most \"10m\"."
                ]
            ),
            (
                "\"timeout\": \"11m\"",
                [
                    "2:12: account.timeout: This must be at least \"1s\" and at most \"10m\"."
                ]
            ),
            (
                "\"trust\": \"ca.pem\"",
                [
                    "2:10: account.trust: This must be an object, not text."
                ]
            ),
            (
                "\"trust\": {\"ca\": \"ca.pem\"}",
                [
                    "2:17: account.trust.ca: The file \"ca.pem\" can't be read: there is no such file."
                ]
            ),
            (
                "\"trust\": {\"pins\": \"sha256:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=\"}",
                [
                    "2:19: account.trust.pins: This must be a list of pins like [\"sha256:...\"], not text."
                ]
            ),
            (
                "\"trust\": {\"pins\": [\"sha256:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=\", \"sha256:AA==\", 1]}",
                [
                    "2:75: account.trust.pins[1]: This is no pin; write \"sha256:\" and 44 characters of Base64, as the bot "
                        + "prints it when it refuses a certificate.",
                    "2:90: account.trust.pins[2]: This must be a pin like \"sha256:...\", not a number.",
                ]
            ),
            (
                "\"certificate\": {\"file\": \"bot.pem\"}",
                [
                    "2:25: account.certificate.file: The file \"bot.pem\" can't be read: there is no such file."
                ]
            ),
            (
                "\"certificate\": {\"key\": \"bot.key\"}",
                [
                    "2:16: account.certificate.file: It is missing; add \"file\": \"bot.pem\"."
                ]
            ),
            (
                "\"tls\": \"none\"",
                [
                    "2:8: account.tls: \"none\" is not allowed; this must be one of \"required\", \"off\"."
                ]
            ),
            (
                "\"tls\": \"off\"",
                [
                    "2:8: account.tls: \"off\" is allowed only where account.server is this machine "
                        + "(localhost, 127.0.0.1 or ::1); leave the key out."
                ]
            ),
            (
                "\"tls\": \"off\", \"server\": \"127.example.org\"",
                [
                    "2:8: account.tls: \"off\" is allowed only where account.server is this machine "
                        + "(localhost, 127.0.0.1 or ::1); leave the key out."
                ]
            ),
            (
                "\"allowPlain\": \"yes\"",
                [
                    "2:15: account.allowPlain: This must be true or false, not text."
                ]
            ),
            (
                "\"allow_plain\": true",
                [
                    "2:1: account.allow_plain: There is no such key; did you mean \"allowPlain\"?"
                ]
            ),
            (
                "\"user\": \"bot\"",
                [
                    "2:1: account.user: There is no such key; known here: jid, password, server, nameServer, "
                        + "resource, timeout, trust, certificate, tls, allowPlain, channelBinding, allowLegacyLogin, sasl2, ping, "
                        + "reconnect, sending."
                ]
            ),
        ]
}
