internal import BellhopClient
internal import BellhopDiagnostics
internal import BellhopJournal

/// What an admin hears who asks how the bot is off, in the chat: the session that there is, the journal and its disk.
extension BotHouse {
    func examine(_ answered: @escaping @Sendable (String) -> Void) {
        guard loop.isOnline, let caretaker else { return answered(DoctorPhrases.offline) }
        let journal = ledger.journal.path
        SessionExamination.begin(loop) { facts in
            // Reading files and asking disks is nothing for the loop's thread.
            caretaker.whenFree {
                let all = JournalExamination.facts(of: journal, .sample) + facts
                answered(DoctorTable.chat(all.map(DoctorPhrases.finding)))
            }
        }
    }
}
