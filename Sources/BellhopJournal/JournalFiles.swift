internal import BellhopSQLite

/// The files around a journal that hold what was said, or did.
package enum JournalFiles {
    /// Copies of it: backups that the bot made by itself, and what upgrades and restores kept; sorted.
    ///
    /// Only those whose names say so, in the two folders; where others are, only who made them knows.
    package static func copies(of journal: String, backups folder: String, name: BackupName) -> [String] {
        let own = DataFile.withoutLinks(journal)
        let beside = DataFile.folder(of: own)
        let before = DataFile.name(of: own) + ".before-"
        var found: Set<String> = []
        for file in (try? DataFile.names(in: beside)) ?? [] where file.hasPrefix(before) {
            found.insert("\(beside)/\(file)")
        }
        for place in [beside, folder] {
            for file in (try? DataFile.names(in: place)) ?? []
            where name.moment(of: file) != nil || name.isLeftOver(file) {
                found.insert("\(place)/\(file)")
            }
        }
        return found.sorted()
    }

    /// The folder that a journal stands in.
    package static func folder(of journal: String) -> String { DataFile.folder(of: journal) }
}
