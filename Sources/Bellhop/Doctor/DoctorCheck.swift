/// What `doctor` looks at, in the order in which it tells of it.
package enum DoctorCheck: String, CaseIterable, Sendable {
    case configuration, files, bot, journal, disk, dns, port, tls, certificate, mechanisms, login, session, roster
    case ping, stream, archive, carbons, upload, limits, clock
}
