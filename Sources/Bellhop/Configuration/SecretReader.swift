internal import BellhopDiagnostics

/// Fetches a secret from where it is; what goes wrong names the place, never the value.
struct SecretReader {
    let loader: ConfigurationLoader

    func read(_ source: SecretSource) -> Result<Secret, ConfigurationProblem.Kind> {
        switch source {
        case .plain(let secret): return .success(secret)
        case .environment(let name):
            guard let value = loader.surroundings.variable(name) else { return .failure(.variableNotSet(name)) }
            return value.isEmpty ? .failure(.variableEmpty(name)) : .success(Secret(value))
        case .file(let path): return file(path)
        case .credential(let name):
            guard let folder = loader.surroundings.variable("CREDENTIALS_DIRECTORY"), folder.hasPrefix("/") else {
                return .failure(.noCredentialsDirectory(name))
            }
            return file("\(folder)/\(name)")
        case .command(let arguments):
            let program = arguments.first ?? ""
            let output = loader.surroundings.run(
                arguments, timeLimit: ConfigurationLoader.commandLimit, sizeLimit: ConfigurationLoader.secretLimit)
            switch output {
            case .failure(let failure): return .failure(.secretCommandFailed(program: program, failure))
            case .success(let bytes):
                let ifEmpty = ConfigurationProblem.Kind.secretCommandFailed(program: program, .noOutput)
                return Self.secret(bytes, ifEmpty: ifEmpty)
            }
        }
    }

    private func file(_ path: String) -> Result<Secret, ConfigurationProblem.Kind> {
        switch loader.surroundings.read(path, limit: ConfigurationLoader.secretLimit) {
        case .failure(let trouble): .failure(.secretFileUnreadable(path, reason: trouble.phrase))
        case .success(let contents): Self.secret(contents.bytes, ifEmpty: .secretFileEmpty(path))
        }
    }

    /// Cuts off the one newline that editors and programs end a text with.
    static func secret(
        _ bytes: [UInt8], ifEmpty: ConfigurationProblem.Kind
    ) -> Result<Secret, ConfigurationProblem.Kind> {
        var bytes = bytes[...]
        if bytes.last == UInt8(ascii: "\n") {
            bytes = bytes.dropLast()
            if bytes.last == UInt8(ascii: "\r") { bytes = bytes.dropLast() }
        }
        if bytes.isEmpty { return .failure(ifEmpty) }
        guard let text = String(validating: bytes, as: UTF8.self) else { return .failure(.secretNotUTF8) }
        return .success(Secret(text))
    }
}

extension SecretSource {
    /// The source with a path from the configuration made complete.
    func mapPath(_ resolve: (String) -> String) -> SecretSource {
        switch self {
        case .file(let path): .file(resolve(path))
        case .plain, .environment, .command, .credential: self
        }
    }

    /// Which key below the secret's own it is written in.
    var keySuffix: String {
        switch self {
        case .plain: ""
        case .environment: ".env"
        case .file: ".file"
        case .command: ".command"
        case .credential: ".credential"
        }
    }
}
