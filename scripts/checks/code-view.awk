# Prints Swift files as `path TAB line TAB code`, with the contents of comments and string literals left out, so that the
# checks look at code alone. Knows nested comments, multi-line and raw strings, and code inside interpolations.

function push(mode, hashes, depth) {
    top++; modes[top] = mode; rawness[top] = hashes; depths[top] = depth
}

function hash_marks(text, at,    count) {
    while (substr(text, at + count, 1) == "#") count++
    return count
}

function repeated(count,    marks) {
    while (count-- > 0) marks = marks "#"
    return marks
}

FNR == 1 { top = 0; push("code", 0, 0) }

{
    out = ""
    size = length($0)
    for (at = 1; at <= size; ) {
        mode = modes[top]
        character = substr($0, at, 1)
        pair = substr($0, at, 2)
        if (mode == "comment") {
            if (pair == "/*") { depths[top]++; at += 2 }
            else if (pair == "*/") { depths[top]--; at += 2; if (depths[top] == 0) { top--; out = out " " } }
            else at++
        } else if (mode == "code") {
            if (pair == "//") break
            if (pair == "/*") { push("comment", 0, 1); at += 2; continue }
            hashes = character == "#" ? hash_marks($0, at) : 0
            if (substr($0, at + hashes, 1) == "\"") {
                at += hashes
                if (substr($0, at, 3) == "\"\"\"") { push("block", hashes, 0); at += 3 }
                else { push("string", hashes, 0); at++ }
                out = out "\""
                continue
            }
            if (top > 1 && character == "(") depths[top]++
            if (top > 1 && character == ")") {
                depths[top]--
                if (depths[top] == 0) { top--; at++; out = out ")"; continue }
            }
            out = out character
            at++
        } else {
            hashes = rawness[top]
            escape = "\\" repeated(hashes)
            closing = (mode == "block" ? "\"\"\"" : "\"") repeated(hashes)
            if (substr($0, at, length(escape)) == escape) {
                at += length(escape)
                if (substr($0, at, 1) == "(") { push("code", 0, 1); out = out "("; at++ }
                else at++
            } else if (substr($0, at, length(closing)) == closing) {
                top--
                out = out "\""
                at += length(closing)
            } else at++
        }
    }
    # A string on one line cannot go on in the next; whatever confused the view ends here.
    while (top > 1 && (modes[top] == "string")) top--
    if (out ~ /[^ \t]/) print FILENAME "\t" FNR "\t" out
}
