import Foundation

/// A country or territory, by its codes and its English name.
struct Country: Equatable {
    /// One part of the world, with its countries in the order of their names.
    struct Region {
        let name: String
        let countries: [Country]
    }

    /// ISO 3166-1 alpha-2: `DE`.
    let alpha2: String
    /// ISO 3166-1 alpha-3: `DEU`.
    let alpha3: String
    let name: String

    private init(_ codes: Substring) {
        alpha2 = String(codes.prefix(2))
        alpha3 = String(codes.dropFirst(2))
        name = Self.english.localizedString(forRegionCode: alpha2) ?? alpha2
    }

    /// Returns the name of a storefront's country, or the storefront's code if it belongs to no country that is known here.
    static func name(storefront code: String) -> String { all.first { $0.alpha3 == code }?.name ?? code }

    var isOfEuropeanUnion: Bool { Self.europeanUnion.contains(alpha2) }

    /// All countries, in the order of their names.
    static let all = codes.split { $0.isWhitespace }.map(Country.init)
        .sorted { $0.name.compare($1.name, options: [.diacriticInsensitive, .caseInsensitive]) == .orderedAscending }

    /// The parts of the world, with at least one country each.
    static let regions = ["Europe", "Africa", "Asia", "North and Central America", "South America", "Oceania and Antarctica"]
        .map { name in Region(name: name, countries: all.filter { $0.region == name }) }

    private var region: String {
        // Unicode's data has Cyprus in Asia. For the App Store and the European Union it is in Europe.
        if alpha2 == "CY" { return "Europe" }
        let region = Locale.Region(alpha2)
        switch region.continent?.identifier {
        case "150": return "Europe"
        case "002": return "Africa"
        case "142": return "Asia"
        case "019": return region.containingRegion?.identifier == "005" ? "South America" : "North and Central America"
        default: return "Oceania and Antarctica"
        }
    }

    private static let english = Locale(identifier: "en")

    /// The members of the European Union, by their codes of two letters.
    static let europeanUnion: Set = [
        "AT", "BE", "BG", "CY", "CZ", "DE", "DK", "EE", "ES", "FI", "FR", "GR", "HR", "HU",
        "IE", "IT", "LT", "LU", "LV", "MT", "NL", "PL", "PT", "RO", "SE", "SI", "SK",
    ]

    // The countries of ISO 3166-1, and Kosovo, for which the App Store has a storefront. Each word is the code of two letters
    // followed by the code of three letters. The list is here because Foundation does not know the codes of three letters, and
    // because its regions are not only countries.
    private static let codes = """
        ADAND AEARE AFAFG AGATG AIAIA ALALB AMARM AOAGO AQATA ARARG ASASM ATAUT AUAUS AWABW AXALA AZAZE BABIH BBBRB
        BDBGD BEBEL BFBFA BGBGR BHBHR BIBDI BJBEN BLBLM BMBMU BNBRN BOBOL BQBES BRBRA BSBHS BTBTN BVBVT BWBWA BYBLR
        BZBLZ CACAN CCCCK CDCOD CFCAF CGCOG CHCHE CICIV CKCOK CLCHL CMCMR CNCHN COCOL CRCRI CUCUB CVCPV CWCUW CXCXR
        CYCYP CZCZE DEDEU DJDJI DKDNK DMDMA DODOM DZDZA ECECU EEEST EGEGY EHESH ERERI ESESP ETETH FIFIN FJFJI FKFLK
        FMFSM FOFRO FRFRA GAGAB GBGBR GDGRD GEGEO GFGUF GGGGY GHGHA GIGIB GLGRL GMGMB GNGIN GPGLP GQGNQ GRGRC GSSGS
        GTGTM GUGUM GWGNB GYGUY HKHKG HMHMD HNHND HRHRV HTHTI HUHUN IDIDN IEIRL ILISR IMIMN ININD IOIOT IQIRQ IRIRN
        ISISL ITITA JEJEY JMJAM JOJOR JPJPN KEKEN KGKGZ KHKHM KIKIR KMCOM KNKNA KPPRK KRKOR KWKWT KYCYM KZKAZ LALAO
        LBLBN LCLCA LILIE LKLKA LRLBR LSLSO LTLTU LULUX LVLVA LYLBY MAMAR MCMCO MDMDA MEMNE MFMAF MGMDG MHMHL MKMKD
        MLMLI MMMMR MNMNG MOMAC MPMNP MQMTQ MRMRT MSMSR MTMLT MUMUS MVMDV MWMWI MXMEX MYMYS MZMOZ NANAM NCNCL NENER
        NFNFK NGNGA NINIC NLNLD NONOR NPNPL NRNRU NUNIU NZNZL OMOMN PAPAN PEPER PFPYF PGPNG PHPHL PKPAK PLPOL PMSPM
        PNPCN PRPRI PSPSE PTPRT PWPLW PYPRY QAQAT REREU ROROU RSSRB RURUS RWRWA SASAU SBSLB SCSYC SDSDN SESWE SGSGP
        SHSHN SISVN SJSJM SKSVK SLSLE SMSMR SNSEN SOSOM SRSUR SSSSD STSTP SVSLV SXSXM SYSYR SZSWZ TCTCA TDTCD TFATF
        TGTGO THTHA TJTJK TKTKL TLTLS TMTKM TNTUN TOTON TRTUR TTTTO TVTUV TWTWN TZTZA UAUKR UGUGA UMUMI USUSA UYURY
        UZUZB VAVAT VCVCT VEVEN VGVGB VIVIR VNVNM VUVUT WFWLF WSWSM XKXKS YEYEM YTMYT ZAZAF ZMZMB ZWZWE
        """
}
