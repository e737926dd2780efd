// What the suites and the chaos run share: servers, processes, raw streams.
@_exported import EndToEndSupport
