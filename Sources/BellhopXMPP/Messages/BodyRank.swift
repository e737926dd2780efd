/// How much a body is to be preferred to the others of its message: one in our language, else one without a language
/// of its own, else the first.
enum BodyRank: Comparable {
    case absent, otherLanguage, noLanguage, ourLanguage
}
