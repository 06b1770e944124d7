"""Slurs: words that call people names for what they are. Read by machines, never shown.

In the notation of utils.memory.phrases, folded (no accents). A word that is ordinary in another
company or another language ("retard" is French for a delay, "coon" a breed of cat, Kike a first
name) is listed with the company in which it is a slur, or not at all: a miss is for the model's
instructions and the moderators; a false alarm replaces an honest answer.
"""

SLURS = {
    "english": """
        nigger*|nigga|niggas|niggaz|sandnigger*|sand nigger*|negroid*|jigaboo*|porch monkey*
        |jungle bunny/bunnies|pickaninny|pickaninnies|picaninny|darkie|darkies|golliwog*
        |!maine coons|you/dirty/stupid/damn/fucking/filthy coon/coons
        |faggot|faggots|faggy|faggotry|you/fucking/dirty/stupid/disgusting fag|fags !end/ends
        |tranny|trannies|shemale|shemales|troon|troons|poofter|poofters|batty boy/boys|lesbo
        |dirty/fucking/bull/filthy dyke/dykes
        |kikes|a/the/you/dirty/fucking/stupid/filthy kike|heeb|heebs|hymies
        |spics !and|a/you/dirty/fucking/stupid/filthy spic|beaner|beaners|wetback|wetbacks
        |chinks !in/of|you/dirty/fucking/stupid/filthy chink|gook|gooks|zipperhead*|ching chong
        |slant eye/eyes/eyed|slanteye*|japs|raghead|ragheads|towelhead|towelheads|camel jockey*
        |muzzie|muzzies|mudslime*|paki|pakis|dago|dagos|dagoes|mongoloids
        |kaffirs !lime/limes/leaf/leaves|you/dirty/fucking/stupid kaffir
        |retarded !growth/development/ignition/by|fucktard|fucktards|libtard|libtards
        |a/you/ur/fucking/stupid/total/absolute/such/these/those retard/retards
        |untermensch|untermenschen|subhuman race/races/scum
    """,
    "german": """
        neger|negers|negern|negerin|negerinnen|kanake|kanaken|kanacke|kanacken|kummelturke|kummelturken
        |schwuchtel|schwuchteln|schwuchtelig|kampflesbe|kampflesben|transen
        |judensau|judenschwein*|judenpack|schlitzauge|schlitzaugen|schlitzaugig*|ziegenficker*
        |polacke|polacken|kameltreiber !in|spast|spasti|spasten|zigeunerpack|drecksjude*
        |dreckszigeuner*|niggah
    """,
    "french": """
        bougnoule|bougnoules|bougnoul|bougnouls|bicots|youpin|youpins|youpine|youtre|youtres
        |niakoue|niakoues|niaque|chintok|chintoks|chinetoque|chinetoques|tarlouze|tarlouzes
        |sale/sales/gros/putain pede/pedes|sale/sales negre/negres/arabe/arabes/juif/juifs/gouine
        |gouine|gouines|fiotte|fiottes
    """,
    "spanish": """
        maricon|maricones|mariconazo*|maricas|sudaca|sudacas|negrata|negratas|travelo|travelos
        |joto de|puto/pinche joto|retrasado/retrasada/retrasados mental/mentales
        |negro/negra/moro/mora/indio/judio de mierda|moromierda
    """,
    "portuguese": """
        viado|viados|viadinho*|traveco|travecos|sapatao|paneleiro|paneleiros
        |preto/preta/negro/negra/macaco de merda|preto/preta/negro/negra imundo/imunda
    """,
    "italian": """
        frocio|froci|frocione|ricchione|ricchioni|culattone|culattoni|terrone di|terroni di
        |negro/negra/ebreo/zingaro di merda|sporco/sporca negro/negra/ebreo/zingaro
    """,
    "dutch": """
        nikker|nikkers|zandneger*|kankerjood|kankerjoden|kankerneger*|kankerhomo*|kutmarokkaan*
        |vuile flikker/flikkers/jood/neger/homo
    """,
    "scandinavian": "blattar|svartskalle|svartskallar|svarting|perker|perkere|svartedin*",
    "polish": """
        czarnuch|czarnuchy|czarnucha|czarnuchow|ciota|cioty|pedaly jebane|jebany/jebani pedal/zyd
        |ciapaty|ciapaci|parchaty zyd
    """,
    "turkish": "ibne|ibneler|ibnelik|ibnesin",
    "russian": """
        пидор|пидоры|пидора|пидоров|пидору|пидором|пидорас*|пидарас*|пидар|пидары|педрила*
        |ниггер|ниггеры|ниггера|ниггеров|черножоп*|узкоглаз*|жид|жиды|жидов|жидовск*
        |хач|хачи|хачей|чурки|чурок !дров|чернозад*
    """,
    "ukrainian": "підор|підори|підорас*|жидяра|жидва",
}
SLURS_UNSPACED = (
    *("チャンコロ", "チョンコ", "土人ども", "くろんぼ", "クロンボ"),
    *("黑鬼", "支那猪", "支那豬", "支那人", "死基佬", "死同性恋", "小日本鬼"),
    *("짱깨", "쪽바리", "깜둥이", "똥꼬충"),
)
# Looked for where some letters are stars: long enough that little else fits.
STARRED = (
    *("nigger", "niggers", "nigga", "niggas", "faggot", "faggots", "tranny", "trannies"),
    *("neger", "kanake", "kanaken", "schwuchtel", "schwuchteln", "bougnoule", "maricon"),
    *("retarded", "raghead", "towelhead", "wetback"),
)
