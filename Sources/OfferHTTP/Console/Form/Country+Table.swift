extension Country {
    /// ISO 3166-1 with Kosovo, as the App Store has it, by region: the codes of two and three letters, and the English name.
    static let regions: [Region] = [
        Region(
            "Europe",
            """
            AX ALA Åland Islands
            AL ALB Albania
            AD AND Andorra
            AT AUT Austria
            BY BLR Belarus
            BE BEL Belgium
            BA BIH Bosnia & Herzegovina
            BG BGR Bulgaria
            HR HRV Croatia
            CY CYP Cyprus
            CZ CZE Czechia
            DK DNK Denmark
            EE EST Estonia
            FO FRO Faroe Islands
            FI FIN Finland
            FR FRA France
            DE DEU Germany
            GI GIB Gibraltar
            GR GRC Greece
            GG GGY Guernsey
            HU HUN Hungary
            IS ISL Iceland
            IE IRL Ireland
            IM IMN Isle of Man
            IT ITA Italy
            JE JEY Jersey
            XK XKS Kosovo
            LV LVA Latvia
            LI LIE Liechtenstein
            LT LTU Lithuania
            LU LUX Luxembourg
            MT MLT Malta
            MD MDA Moldova
            MC MCO Monaco
            ME MNE Montenegro
            NL NLD Netherlands
            MK MKD North Macedonia
            NO NOR Norway
            PL POL Poland
            PT PRT Portugal
            RO ROU Romania
            RU RUS Russia
            SM SMR San Marino
            RS SRB Serbia
            SK SVK Slovakia
            SI SVN Slovenia
            ES ESP Spain
            SJ SJM Svalbard & Jan Mayen
            SE SWE Sweden
            CH CHE Switzerland
            UA UKR Ukraine
            GB GBR United Kingdom
            VA VAT Vatican City
            """),
        Region(
            "Africa",
            """
            DZ DZA Algeria
            AO AGO Angola
            BJ BEN Benin
            BW BWA Botswana
            IO IOT British Indian Ocean Territory
            BF BFA Burkina Faso
            BI BDI Burundi
            CM CMR Cameroon
            CV CPV Cape Verde
            CF CAF Central African Republic
            TD TCD Chad
            KM COM Comoros
            CG COG Congo - Brazzaville
            CD COD Congo - Kinshasa
            CI CIV Côte d’Ivoire
            DJ DJI Djibouti
            EG EGY Egypt
            GQ GNQ Equatorial Guinea
            ER ERI Eritrea
            SZ SWZ Eswatini
            ET ETH Ethiopia
            TF ATF French Southern and Antarctic Lands
            GA GAB Gabon
            GM GMB Gambia
            GH GHA Ghana
            GN GIN Guinea
            GW GNB Guinea-Bissau
            KE KEN Kenya
            LS LSO Lesotho
            LR LBR Liberia
            LY LBY Libya
            MG MDG Madagascar
            MW MWI Malawi
            ML MLI Mali
            MR MRT Mauritania
            MU MUS Mauritius
            YT MYT Mayotte
            MA MAR Morocco
            MZ MOZ Mozambique
            NA NAM Namibia
            NE NER Niger
            NG NGA Nigeria
            RE REU Réunion
            RW RWA Rwanda
            ST STP São Tomé & Príncipe
            SN SEN Senegal
            SC SYC Seychelles
            SL SLE Sierra Leone
            SO SOM Somalia
            ZA ZAF South Africa
            SS SSD South Sudan
            SH SHN St. Helena, Ascension & Tristan da Cunha
            SD SDN Sudan
            TZ TZA Tanzania
            TG TGO Togo
            TN TUN Tunisia
            UG UGA Uganda
            EH ESH Western Sahara
            ZM ZMB Zambia
            ZW ZWE Zimbabwe
            """),
        Region(
            "Asia",
            """
            AF AFG Afghanistan
            AM ARM Armenia
            AZ AZE Azerbaijan
            BH BHR Bahrain
            BD BGD Bangladesh
            BT BTN Bhutan
            BN BRN Brunei
            KH KHM Cambodia
            CN CHN China
            GE GEO Georgia
            HK HKG Hong Kong
            IN IND India
            ID IDN Indonesia
            IR IRN Iran
            IQ IRQ Iraq
            IL ISR Israel
            JP JPN Japan
            JO JOR Jordan
            KZ KAZ Kazakhstan
            KW KWT Kuwait
            KG KGZ Kyrgyzstan
            LA LAO Laos
            LB LBN Lebanon
            MO MAC Macao
            MY MYS Malaysia
            MV MDV Maldives
            MN MNG Mongolia
            MM MMR Myanmar
            NP NPL Nepal
            KP PRK North Korea
            OM OMN Oman
            PK PAK Pakistan
            PS PSE Palestine
            PH PHL Philippines
            QA QAT Qatar
            SA SAU Saudi Arabia
            SG SGP Singapore
            KR KOR South Korea
            LK LKA Sri Lanka
            SY SYR Syria
            TW TWN Taiwan
            TJ TJK Tajikistan
            TH THA Thailand
            TL TLS Timor-Leste
            TR TUR Türkiye
            TM TKM Turkmenistan
            AE ARE United Arab Emirates
            UZ UZB Uzbekistan
            VN VNM Vietnam
            YE YEM Yemen
            """),
        Region(
            "North and Central America",
            """
            AI AIA Anguilla
            AG ATG Antigua & Barbuda
            AW ABW Aruba
            BS BHS Bahamas
            BB BRB Barbados
            BZ BLZ Belize
            BM BMU Bermuda
            VG VGB British Virgin Islands
            CA CAN Canada
            BQ BES Caribbean Netherlands
            KY CYM Cayman Islands
            CR CRI Costa Rica
            CU CUB Cuba
            CW CUW Curaçao
            DM DMA Dominica
            DO DOM Dominican Republic
            SV SLV El Salvador
            GL GRL Greenland
            GD GRD Grenada
            GP GLP Guadeloupe
            GT GTM Guatemala
            HT HTI Haiti
            HN HND Honduras
            JM JAM Jamaica
            MQ MTQ Martinique
            MX MEX Mexico
            MS MSR Montserrat
            NI NIC Nicaragua
            PA PAN Panama
            PR PRI Puerto Rico
            SX SXM Sint Maarten
            BL BLM St. Barthélemy
            KN KNA St. Kitts & Nevis
            LC LCA St. Lucia
            MF MAF St. Martin
            PM SPM St. Pierre & Miquelon
            VC VCT St. Vincent & Grenadines
            TT TTO Trinidad & Tobago
            TC TCA Turks & Caicos Islands
            VI VIR U.S. Virgin Islands
            US USA United States
            """),
        Region(
            "South America",
            """
            AR ARG Argentina
            BO BOL Bolivia
            BV BVT Bouvet Island
            BR BRA Brazil
            CL CHL Chile
            CO COL Colombia
            EC ECU Ecuador
            FK FLK Falkland Islands
            GF GUF French Guiana
            GY GUY Guyana
            PY PRY Paraguay
            PE PER Peru
            GS SGS South Georgia & South Sandwich Islands
            SR SUR Suriname
            UY URY Uruguay
            VE VEN Venezuela
            """),
        Region(
            "Oceania and Antarctica",
            """
            AS ASM American Samoa
            AQ ATA Antarctica
            AU AUS Australia
            CX CXR Christmas Island
            CC CCK Cocos Islands
            CK COK Cook Islands
            FJ FJI Fiji
            PF PYF French Polynesia
            GU GUM Guam
            HM HMD Heard Island & McDonald Islands
            KI KIR Kiribati
            MH MHL Marshall Islands
            FM FSM Micronesia
            NR NRU Nauru
            NC NCL New Caledonia
            NZ NZL New Zealand
            NU NIU Niue
            NF NFK Norfolk Island
            MP MNP Northern Mariana Islands
            PW PLW Palau
            PG PNG Papua New Guinea
            PN PCN Pitcairn Islands
            WS WSM Samoa
            SB SLB Solomon Islands
            TK TKL Tokelau
            TO TON Tonga
            TV TUV Tuvalu
            UM UMI U.S. Outlying Islands
            VU VUT Vanuatu
            WF WLF Wallis & Futuna
            """),
    ]

    /// The members of the European Union, by their codes of two letters.
    static let europeanUnion: Set = [
        "AT", "BE", "BG", "CY", "CZ", "DE", "DK", "EE", "ES", "FI", "FR", "GR", "HR", "HU",
        "IE", "IT", "LT", "LU", "LV", "MT", "NL", "PL", "PT", "RO", "SE", "SI", "SK",
    ]
}
