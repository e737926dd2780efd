@_exported public import BellhopTestServer
