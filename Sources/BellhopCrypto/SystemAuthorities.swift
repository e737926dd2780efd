internal import CBellhopOpenSSL
internal import Glibc

/// The authorities that the system trusts, opened at the first use and shared by all contexts.
///
/// OpenSSL would parse the whole bundle, 140 certificates in some 30 ms and 9 MiB, of which a bot needs one or two. Debian
/// links each certificate of the bundle by its subject's hash into the same directory, where OpenSSL finds it when it is
/// asked for. So the directory is taken where it holds as many links as the bundle has certificates, else both.
enum SystemAuthorities {
    // Unsafe: OpenSSL's store counts references and locks by itself; nobody adds to it after this.
    nonisolated(unsafe) static let store: OpaquePointer? = {
        guard let store = unsafe X509_STORE_new() else { return nil }
        let opened =
            if let directory = completeDirectory {
                unsafe X509_STORE_load_path(store, directory)
            } else {
                unsafe X509_STORE_set_default_paths(store)
            }
        guard opened == 1 else {
            unsafe X509_STORE_free(store)
            return nil
        }
        return unsafe store
    }()

    /// OpenSSL's directory of authorities, when nothing is in its bundle alone and the environment names no other place.
    private static var completeDirectory: String? {
        guard
            unsafe getenv(X509_get_default_cert_file_env()) == nil,
            unsafe getenv(X509_get_default_cert_dir_env()) == nil,
            let directory = unsafe X509_get_default_cert_dir().map({ unsafe String(cString: $0) }),
            let bundle = unsafe X509_get_default_cert_file().map({ unsafe String(cString: $0) })
        else { return nil }
        return isComplete(directory: directory, bundle: bundle) ? directory : nil
    }

    /// Whether the directory has links, and as many as the bundle in it has certificates; false for a bundle that lies
    /// elsewhere, since it was not made from the directory.
    static func isComplete(directory: String, bundle: String) -> Bool {
        let links = countLinks(in: directory)
        guard links > 0, let place = resolved(directory) else { return false }
        guard let file = resolved(bundle) else { return true }
        return file.hasPrefix(place + "/") && countCertificates(in: file) <= links
    }

    /// The path without symbolic links; nil when there is nothing.
    private static func resolved(_ path: String) -> String? {
        guard let resolved = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }

    /// How many names are eight hexadecimal digits, a dot and a number.
    private static func countLinks(in directory: String) -> Int {
        guard let listing = unsafe opendir(directory) else { return 0 }
        defer { unsafe closedir(listing) }
        var count = 0
        while let entry = unsafe readdir(listing) {
            let isLink = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { name in
                unsafe name[8] == UInt8(ascii: ".") && isDigit(name[9]) && name[..<8].allSatisfy(isHexadecimal)
            }
            if isLink { count += 1 }
        }
        return count
    }

    /// How many certificates the file holds in PEM; too many to compare when it cannot be read.
    private static func countCertificates(in file: String) -> Int {
        guard let stream = unsafe fopen(file, "re") else { return .max }
        defer { unsafe fclose(stream) }
        let mark = Array("-----BEGIN ".utf8)
        var line = [CChar](repeating: 0, count: 256)
        var count = 0
        while unsafe fgets(&line, Int32(line.count), stream) != nil {
            if line.prefix(mark.count).elementsEqual(mark, by: { UInt8(bitPattern: $0) == $1 }) { count += 1 }
        }
        return count
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        isDigit(byte) || (byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "f"))
    }
}
