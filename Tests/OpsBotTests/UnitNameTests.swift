import Testing

@testable import opsbot

@Suite("Names of units")
struct UnitNameTests {
    @Test(
        "a name without a type is a service",
        arguments: [
            ("nginx", "nginx.service"), ("nginx.service", "nginx.service"), ("logrotate.timer", "logrotate.timer"),
            ("getty@tty1", "getty@tty1.service"), ("php8.2-fpm", "php8.2-fpm.service"),
            ("srv-mail\\x20spool.mount", "srv-mail\\x20spool.mount"), ("user@1000.service", "user@1000.service"),
            ("dbus-org.freedesktop.login1", "dbus-org.freedesktop.login1.service"),
        ])
    func right(text: String, name: String) {
        #expect(UnitName(argumentText: text)?.text == name)
    }

    @Test(
        "what could be an option, a path, a pattern or a second word is no name",
        arguments: [
            "", "-", "--help", "-H", "--host=evil", "-.mount", ".service", "..", "a b", "a/b", "/etc/passwd", "*",
            "ngin?",
            "[a]", "a;b", "$(id)", "a\n", "a\0", "ünit", "a,b", "a=b", "'a'", String(repeating: "a", count: 241),
        ])
    func wrong(text: String) {
        #expect(UnitName(argumentText: text) == nil)
    }
}
