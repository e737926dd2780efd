internal import BellhopJournal

/// Looks at the journal and the disk that it lies on; blocks, and changes nothing.
enum JournalExamination {
    static func facts(of journal: String, _ depth: JournalCheckup.Depth) -> [DoctorFact] {
        let folder = JournalFiles.folder(of: journal)
        let disk =
            FileSystemSpace(at: folder).map { DoctorFact.disk(folder: folder, $0) } ?? .diskUnknown(folder: folder)
        guard SystemFile.exists(journal) else {
            return [SystemFile.isWritable(folder) ? .journalAbsent(path: journal) : .journalNotWritable(path: journal)]
                + [disk]
        }
        return modes(of: journal) + state(of: journal, depth)
            + (SystemFile.isWritable(journal) && SystemFile.isWritable(folder)
                ? [] : [.journalNotWritable(path: journal)]) + [disk]
    }

    private static func state(of journal: String, _ depth: JournalCheckup.Depth) -> [DoctorFact] {
        do throws(JournalError) {
            let checkup = try JournalCheckup(of: journal, depth)
            let fact = DoctorFact.journal(path: journal, checkup)
            guard checkup.logBytes > DoctorFact.largestLog else { return [fact] }
            return [fact, .journalLogLarge(path: journal, bytes: checkup.logBytes)]
        } catch {
            return [.journalTrouble(error)]
        }
    }

    /// All of these hold what was said, or lead to it.
    private static func modes(of journal: String) -> [DoctorFact] {
        let open = ["", "-wal", "-shm"].compactMap { ending -> DoctorFact? in
            guard let mode = SystemFile.mode(of: journal + ending), mode & 0o077 != 0 else { return nil }
            return .fileOpen(path: journal + ending, mode: mode)
        }
        return open.isEmpty ? [.filesPrivate(journal: journal)] : open
    }
}
