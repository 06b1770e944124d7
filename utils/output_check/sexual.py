"""Sexual content: explicit acts and wording, not health, education, or the mention of a subject.

In the notation of utils.memory.phrases, folded (no accents). Words with another everyday sense
(rooster, tail, cum laude) count only in company.
"""

SEXUAL = {
    "english": """
        blowjob|blowjobs|handjob|handjobs|rimjob*|cumshot|cumshots|cumming|deepthroat*|gangbang*
        |bukkake|cunnilingus|titfuck*|facefuck*|mouthfuck*|buttfuck*|assfuck*|fisting her/him/me/you
        |suck/sucks/sucked/sucking ~ dick/cock/dicks/cocks/clit
        |lick/licks/licked/licking ~ pussy/clit/cock/asshole
        |ride/rides/riding/rode my/your/his/her dick/cock/face
        |my/your/his/throbbing/erect/hard/big/huge/thick cock
        |throbbing/erect/stiff/hardening dick/member/manhood|dripping/wet/tight/soaked pussy/cunt
        |my/your/her pussy is/gets/was/tightens/aches/throbs
        |finger/fingered/fingering her/myself pussy
        |fuck/fucks/fucked/fucking me/her/him/you hard/harder/deep/deeper/senseless/raw
        |fuck her/his/your/my pussy/ass/mouth/throat
        |cum/cums/came in/on/inside/over my/your/her/his face/mouth/tits/ass/pussy/throat
        |jerk/jerks/jerking/jerked off to/on/for/into|jerk/jerks/jerking you/me off
        |thrust/thrusts/thrusting deep/deeper/hard/harder inside/into her/him/me/you
        |moan/moans/moaning/moaned ~ pleasure/harder/cock
        |spread/spreads your/her/his/my legs for me/him/her/you|eat/eating/eats her/your/my pussy
        |hard/soft/erect nipples|nipples harden/hardened
        |my/your/her/his naked/bare body ~ moan/thrust/kiss/against
    """,
    "german": """
        blasen ~ schwanz|blase/blast/blies mir/dir/ihm einen|schwanz ~ lutsch*|lutsch* ~ schwanz
        |harter/harten/steifer/steifen/dicker/dicken schwanz in/tief
        |feuchte/nasse/enge/feuchten/nassen muschi/mose/fotze|leck* ~ muschi/fotze
        |fick/ficke/fickt/fickst/ficken mich/dich/sie/ihn hart/harter/tief/durch
        |abspritzen|abgespritzt|spritz* ~ gesicht/titten/muschi|arschfick*|gangbang*
        |wichs* mir/dir/ihm/vor
        |geile/dicke/pralle titten|stohn* ~ schwanz/fick*
    """,
    "french": """
        suce/suces/sucer/sucait ~ bite/queue/teton|baise moi fort/plus/encore
        |leche/lecher ~ chatte/clito
        |chatte mouillee/humide/trempee|ma/ta/sa grosse bite|branle moi|ejacul* sur/dans
        |baise/baiser ma/ta/sa chatte
    """,
    "spanish": """
        chupa/chupar/chupando/chupame ~ polla/verga/pene|follame|cogeme duro/fuerte
        |mi/tu/su polla/verga dura/dentro|cono mojado|lamer/lame/lamiendo ~ cono/clitoris
        |correrse/correrme/correrte dentro/en tu/mi/su cara/boca
    """,
    "portuguese": """
        chupa/chupar/chupando ~ pau/rola/pica|fode me mais|me fode|buceta molhada
        |meu/seu pau duro
    """,
    "italian": "succhia/succhiare/succhiami ~ cazzo|scopami|figa bagnata|cazzo duro dentro",
    "dutch": "pijp* ~ lul|neuk me hard/harder|natte kut|lik* ~ kutje",
    "polish": "obciagn* ~ kutas*|pieprz/rznij mnie mocno/mocniej|mokra cipka|liz* ~ cipk*",
    "russian": """
        соси/сосать/сосет/отсоси ~ член/хуй|трахни меня|минет|минеты
        |кончи/кончать/кончил в/на меня/рот/лицо
        |мокрая киска|твердый член
    """,
}
SEXUAL_UNSPACED = (
    *("フェラチオ", "中出し", "おまんこ", "ちんぽ", "手コキ"),
    *("口交", "肛交", "操我", "内射", "颜射", "舔她的阴"),
    *("펠라치오", "질내사정", "대딸", "빨아줘 자지"),
)
MINORS = {
    "english": """
        child|children|kid|kids|minor|minors|underage*|underaged|loli|lolis|lolicon|shota|shotacon
        |schoolgirl*|schoolboy*|toddler*|preteen*|teen|teens|teenage*|teenager*
        |little girl/boy/girls/boys
        |#<18 year/years old|#<18 yo|girl/boy of #<18
    """,
    "german": """
        kind|kinder|kindes|minderjahrig*|schulmadchen|schuljunge*|#<18 jahre alt|#<18 jahrig*
    """,
    "french": "enfant|enfants|mineur|mineure|mineurs|mineures|ecoliere*|fillette*|#<18 ans",
    "spanish": "nino|nina|ninos|ninas|menor de|colegiala*|#<18 anos",
    "russian": "ребенок|ребенка|дети|детей|малолет*|школьниц*|несовершеннолетн*|#<18 лет",
}
