import Bellhop
import Testing

@testable import opsbot

@Suite("disk")
struct DiskTests {
    private static let gib: UInt64 = 1_073_741_824

    private static func space(
        _ size: UInt64, free: UInt64, available: UInt64, files: UInt64 = 1000, freeFiles: UInt64 = 900
    )
        -> FileSystemSpace
    {
        FileSystemSpace(
            size: size * gib, free: free * gib, available: available * gib, files: files, freeFiles: freeFiles)
    }

    private static let spaces = [
        "/": space(98, free: 60, available: 55), "/boot": space(1, free: 1, available: 1),
        "/var": space(20, free: 2, available: 1),
        "/srv/mail spool": space(400, free: 350, available: 350, files: 65_536, freeFiles: 1_200),
        "/tank/backup": space(4000, free: 3000, available: 3000, files: 0, freeFiles: 0),
    ]

    @Test("pseudo file systems, images, other people's containers and second mounts are left out")
    func table() throws {
        let table = MountTable(try Machine.recorded().read("/proc/self/mounts"))
        #expect(table.disks.map(\.path) == ["/", "/boot", "/srv/mail spool", "/tank/backup", "/var"])
        #expect(table.disks.map(\.type) == ["ext4", "ext4", "xfs", "zfs", "ext4"])
        #expect(table.remote.map(\.path) == ["/home", "/mnt/box"])
    }

    @Test("what is nearly full comes first, be it in bytes or in files")
    func recorded() throws {
        let report = try DiskReport(.recorded(spaces: Self.spaces))
        #expect(
            report.text(warning: 90) == """
                NEARLY FULL: /srv/mail spool 13 %, 350 GiB of 400 GiB free; files 99 %, 1200 of 65536 free
                NEARLY FULL: /var 95 %, 1.0 GiB of 20.0 GiB free
                / 41 %, 55.0 GiB of 98.0 GiB free
                /boot 0 %, 1.0 GiB of 1.0 GiB free
                /tank/backup 25 %, 2.9 TiB of 3.9 TiB free
                not asked, being on other machines: /home (nfs4), /mnt/box (fuse.sshfs)
                """)
    }

    @Test("the operator decides what nearly full is")
    func warning() throws {
        let text = try DiskReport(.recorded(spaces: Self.spaces)).text(warning: 100)
        #expect(!text.contains("NEARLY FULL"))
        #expect(try DiskReport(.recorded(spaces: Self.spaces)).text(warning: 41).contains("NEARLY FULL: / 41 %"))
    }

    @Test("a disk that would not say is named, and none at all is said")
    func silent() throws {
        #expect(
            try DiskReport(.recorded()).text(warning: 90) == """
                There is no disk that I could ask.
                would not say: /, /boot, /srv/mail spool, /tank/backup, /var
                not asked, being on other machines: /home (nfs4), /mnt/box (fuse.sshfs)
                """)
    }

    @Test(
        "strange lines do no harm",
        arguments: [
            "", "\n\n", "/dev/sda1", "/dev/sda1 /", "\\ \\ \\", "/dev/\\999 /a\\ ext4 rw", "/dev/sda /\\04 ext4",
            " / / / ",
            "/dev/sda1 /\\777 ext4", "\0 \0 \0",
        ])
    func strange(text: String) {
        #expect(MountTable(text).disks.count <= 1)
    }

    @Test("octal escapes are blanks, tabs, line breaks, backslashes and any other byte")
    func escapes() {
        let paths = MountTable(
            #"/dev/a /a\040b ext4"# + "\n" + #"/dev/b /a\011\012\134 ext4"# + "\n" + #"/dev/c /\303\274 ext4"#
                + "\n" + #"/dev/d /z\8 ext4"#
        ).disks.map(\.path)
        #expect(Set(paths) == ["/a b", "/a\t\n\\", "/ü", "/z\\8"])
    }

    @Test("no numbers of a file system trap", arguments: [0, 1, UInt64.max], [0, 1, UInt64.max])
    func numbers(size: UInt64, free: UInt64) {
        let disk = DiskReport.Disk(
            path: "/", space: FileSystemSpace(size: size, free: free, available: free, files: size, freeFiles: free))
        #expect((0...100).contains(disk.use.percent))
        #expect((0...100).contains(disk.files.percent))
    }
}
