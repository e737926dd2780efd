/// Where each of the shared cases is shown.
extension CaseCatalogue {
    enum Place: Sendable {
        /// Its input file is played.
        case file
        /// A test beside this one, with the number in its name, plays it over the wire.
        case here
        /// A test of another suite shows it: its file below `Tests`.
        case elsewhere(String)
        /// Nothing shows it yet.
        case waits(Capability)
    }

    static let places: [String: Place] = areaA.merging(areaB) { $1 }.merging(areaC) { $1 }.merging(areaD) { $1 }
        .merging(areaE) { $1 }.merging(areaF) { $1 }.merging(areaG) { $1 }.merging(areaH) { $1 }.merging(areaI) { $1 }
        .merging(areaJ) { $1 }.merging(areaK) { $1 }.merging(areaL) { $1 }

    private static let areaA: [String: Place] = [
        "C001": .here, "C002": .file, "C004": .here,
        "C006": .here, "C007": .file, "C010": .file, "C011": .file, "C013": .here, "C014": .file, "C017": .file,
        "C018": .here,
    ]
    private static let areaB: [String: Place] = [
        "C019": .file, "C020": .here, "C021": .here, "C024": .here,
    ]
    private static let areaC: [String: Place] = [
        "C025": .file, "C026": .file, "C027": .file, "C030": .file, "C031": .here, "C032": .here, "C033": .file,
        "C035": .here, "C037": .here,
    ]
    private static let areaD: [String: Place] = [
        "C038": .file, "C039": .file, "C040": .file, "C042": .file, "C043": .file, "C044": .file, "C045": .file,
        "C047": .file, "C049": .file, "C051": .file, "C053": .file, "C055": .file,
        "C056": .elsewhere("BellhopBotTests/BotTests.swift"), "C057": .file, "C059": .file, "C060": .file,
        "C061": .file, "C063": .here, "C065": .here, "C066": .here, "C067": .file,
        "C068": .waits(.receipts), "C069": .file, "C070": .file, "C072": .here,
    ]
    private static let areaE: [String: Place] = [
        "C074": .file, "C075": .file, "C077": .file, "C078": .file,
        "C080": .elsewhere("BellhopBotTests/CommandReaderTests.swift"), "C082": .file, "C084": .waits(.rooms),
        "C085": .elsewhere("BellhopBotTests/CommandReaderTests.swift"),
    ]
    private static let areaF: [String: Place] = [
        "C086": .waits(.rooms), "C089": .waits(.rooms), "C091": .waits(.rooms), "C092": .waits(.rooms),
        "C093": .waits(.rooms), "C094": .waits(.rooms), "C096": .waits(.rooms), "C098": .waits(.rooms),
        "C099": .waits(.rooms), "C100": .waits(.rooms), "C101": .waits(.rooms), "C102": .waits(.rooms),
    ]
    private static let areaG: [String: Place] = [
        "C105": .file, "C106": .here, "C107": .elsewhere("BellhopEngineTests/Requests/BackoffTests.swift"),
        "C108": .here, "C109": .here, "C110": .file, "C112": .here, "C113": .here,
        "C115": .here, "C118": .file, "C119": .here,
        "C120": .here,
    ]
    private static let areaH: [String: Place] = [
        "C121": .file, "C122": .elsewhere("BellhopJournalTests/JournalWritingTests.swift"), "C123": .file,
        "C124": .elsewhere("BellhopJournalTests/DuplicateTests.swift"),
        "C125": .elsewhere("BellhopJournalTests/JournalWritingTests.swift"),
        "C126": .elsewhere("BellhopJournalTests/JournalWritingTests.swift"),
        "C127": .elsewhere("BellhopTests/Rendering/LogRenderingTests.swift"),
        "C129": .here, "C130": .elsewhere("BellhopJournalTests/JournalFileTests.swift"),
        "C132": .elsewhere("BellhopJournalTests/CommitTests.swift"),
        "C133": .elsewhere("BellhopJournalTests/JournalFileTests.swift"), "C134": .file, "C136": .file,
        "C137": .elsewhere("BellhopJournalTests/MigrationTests.swift"),
    ]
    private static let areaI: [String: Place] = [
        "C140": .elsewhere("BellhopTests/CommandLine/InvocationTests.swift"), "C142": .here,
        "C143": .elsewhere("BellhopTests/Configuration/SecretSourceTests.swift"), "C144": .file, "C146": .file,
        "C147": .waits(.rooms), "C148": .here, "C149": .elsewhere("BellhopTests/Rendering/TablesTests.swift"),
    ]
    private static let areaJ: [String: Place] = [
        "C150": .file, "C151": .file, "C152": .file, "C153": .here, "C154": .waits(.rooms), "C158": .file,
        "C159": .elsewhere("BellhopBotTests/LaneTests.swift"),
    ]
    private static let areaK: [String: Place] = [
        "C160": .here, "C161": .here, "C162": .here, "C163": .here, "C164": .waits(.rooms),
        // The rest of it, hours of traffic, is the benchmark's.
        "C165": .elsewhere("BellhopXMLTests/HostileStreamTests.swift"),
    ]
    private static let areaL: [String: Place] = [
        "C167": .file, "C168": .here, "C171": .file,
    ]
}
