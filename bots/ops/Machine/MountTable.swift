/// What is mounted where (proc_pid_mounts(5)).
struct MountTable: Equatable {
    struct Mount: Equatable {
        var device: String
        var path: String
        var type: String
    }

    /// Disks of this machine, each device once, in the order of their paths.
    var disks: [Mount] = []
    /// File systems of other machines; asking one whose server is gone would never end.
    var remote: [Mount] = []

    /// Images that are full from the beginning.
    private static let images: Set = ["squashfs", "iso9660", "erofs", "cramfs", "romfs", "udf"]
    /// Disks that no device file stands for.
    private static let withoutDevice: Set = ["zfs", "btrfs", "bcachefs", "virtiofs"]
    private static let network: Set = [
        "nfs", "nfs4", "cifs", "smb3", "smbfs", "ceph", "glusterfs", "afs", "9p", "ncpfs", "lustre", "beegfs",
        "orangefs",
    ]

    init(_ text: String) {
        var devices: Set<String> = []
        for line in Fields.lines(of: text) {
            let fields = Fields.of(line).map(Self.unescaped)
            guard fields.count >= 3 else { continue }
            let mount = Mount(device: fields[0], path: fields[1], type: fields[2])
            if Self.network.contains(mount.type) || mount.type.hasPrefix("fuse.") {
                if !mount.type.hasPrefix("fuse.") || mount.device.contains(":") { remote.append(mount) }
            } else if Self.isDisk(mount), devices.insert(mount.device).inserted {
                disks.append(mount)
            }
        }
        disks.sort { $0.path < $1.path }
    }

    private static func isDisk(_ mount: Mount) -> Bool {
        if images.contains(mount.type) { return false }
        // The root of a container; those of others are in here, too, where the machine runs some.
        if mount.type == "overlay" { return mount.path == "/" }
        return mount.device.hasPrefix("/") || withoutDevice.contains(mount.type)
    }

    /// Blanks and the like stand as three octal digits behind a backslash.
    private static func unescaped(_ field: String) -> String {
        guard field.contains("\\") else { return field }
        var bytes: [UInt8] = []
        var rest = Array(field.utf8)[...]
        while let byte = rest.popFirst() {
            let code = UInt16(String(decoding: rest.prefix(3), as: UTF8.self), radix: 8)
            if byte == UInt8(ascii: "\\"), rest.count >= 3, let code, code < 256 {
                bytes.append(UInt8(truncatingIfNeeded: code))
                rest = rest.dropFirst(3)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
