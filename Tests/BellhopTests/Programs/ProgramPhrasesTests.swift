import Testing

@testable import Bellhop

@Suite("Sentences about programs")
struct ProgramPhrasesTests {
    @Test(
        "each end has its sentence",
        arguments: [
            (ProgramEnding.exited(0), "Done."), (.exited(1), "deploy ended with code 1."),
            (.exited(126), "deploy ended with code 126: something that it calls is there, but cannot be executed."),
            (.exited(127), "deploy ended with code 127: something that it calls was not found."),
            (.signalled(11), "deploy was ended by SIGSEGV."), (.signalled(40), "deploy was ended by signal 40."),
            (.timedOut, "deploy took longer than 2m, so I stopped it."),
            (.outputLimit, "deploy printed more than 64 KiB, so I stopped it; the rest is left out."),
            (.cancelled, "deploy was cancelled."),
            (
                .notStarted(.notFound(program: "foo")),
                "I could not start deploy: the program foo was not found; install it, or write its whole path into the configuration."
            ),
            (
                .notStarted(.notFound(program: "/opt/foo")),
                "I could not start deploy: there is no /opt/foo; install it, or mend its path in the configuration."
            ),
            (
                .notStarted(.notExecutable(path: "/opt/foo")),
                "I could not start deploy: /opt/foo is not executable; chmod +x mends that, if it is a program."
            ),
            (.notStarted(.isFolder(path: "/opt")), "I could not start deploy: /opt is a folder and no program."),
            (
                .notStarted(.noProgram(path: "/opt/foo")),
                "I could not start deploy: /opt/foo is neither a program nor a script whose first line names one that is there, like #!/bin/sh."
            ),
            (
                .notStarted(.folder(path: "/srv", reason: "Permission denied")),
                "I could not start deploy: its working directory /srv cannot be entered: Permission denied."
            ),
            (
                .notStarted(.nul),
                "I could not start deploy: a text with a NUL character cannot be handed to a program."
            ),
            (
                .notStarted(.system(reason: "Cannot allocate memory")),
                "I could not start deploy: Cannot allocate memory."
            ),
        ])
    func endings(ending: ProgramEnding, sentence: String) {
        #expect(Self.sentence(ending) == sentence)
    }

    @Test("output that is complete wants no word, errors are shown where something failed or nothing else was said")
    func output() {
        #expect(Self.sentence(.exited(0), hasOutput: true) == nil)
        #expect(Self.sentence(.exited(0), hasOutput: true, errors: ["warning"]) == nil)
        #expect(Self.sentence(.exited(0), errors: ["a", "b"]) == "a\nb")
        #expect(Self.sentence(.exited(2), hasOutput: true, errors: ["a", "b"]) == "deploy ended with code 2:\na\nb")
        #expect(
            ProgramPhrases.ending(
                .timedOut, of: "deploy", limits: .init(time: .seconds(30), output: 1000), hasOutput: false, errors: [],
                isBeyondReach: true)
                == "deploy took longer than 30s, so I stopped it. It runs as another user and would not go; the operator has to end it."
        )
        #expect(
            ProgramPhrases.tooBusy("deploy")
                == "Too many programs run at the moment, so I did not start deploy. Please try again later.")
    }

    @Test("arguments that do not fit are named")
    func arguments() {
        #expect(
            ProgramPhrases.startsWithDash("-rf", argument: "unit")
                == "-rf does not fit UNIT: a value that starts with a dash could be taken for an option.")
        #expect(
            ProgramPhrases.doesNotMatch("a b", argument: "host")
                == "a b does not fit HOST: it holds something that is not allowed there.")
        #expect(
            ProgramPhrases.holdsNUL(argument: "unit")
                == "UNIT holds a NUL character, which cannot be handed to a program.")
    }

    private static func sentence(
        _ ending: ProgramEnding, hasOutput: Bool = false, errors: [String] = []
    ) -> String? {
        ProgramPhrases.ending(
            ending, of: "deploy", limits: .init(time: .seconds(120), output: 65_536), hasOutput: hasOutput,
            errors: errors)
    }
}
