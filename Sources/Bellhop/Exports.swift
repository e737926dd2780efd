@_exported public import BellhopBot
@_exported public import BellhopXML
@_exported public import BellhopXMPP
