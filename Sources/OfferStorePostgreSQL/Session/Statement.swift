import OfferStoreSQL

typealias Statement = SQLStatement
