"""Words about faith, politics and origin, as somebody's own.

Nationality, languages and places are ordinary; so are churches visited as a tourist, the classes of
a game ("a paladin", "a monk main") and votes in a server's poll.
"""

RELIGION = {
    "en": """
    am/m/is/was/re/s/as/raised/born/became/devout/practicing/practising/lapsed/strict/converted/
      being ~2 {faith} !bale/labeouf/dior/louboutin/slater/pulisic/food/restaurant*/architecture/
      temple*/descent/ancestry/heritage/roots/origin/art/monk+main/mythology/church+in/school+in/
      university/name
    | a/an ~1 christian/catholic/muslim/jew/hindu/buddhist/sikh/mormon/atheist/agnostic
      family/household/upbringing/convert/$ | non/anti religious | atheis*/agnosticis*
    | {be}/not/deeply/very/become ~1 religious !about/in/reasons/studies | devout/devoutly
    | convert*/converted to ~1 islam/christianity/judaism/catholicism/buddhism/hinduism/orthodoxy/
      mormonism
    | believe/believes/believing/believed/faith/trust/trusts in ~1
      god/allah/jesus/christ/krishna/higher+power/the+lord !mode/roll
    | lost/found/keeps/kept/{my} ~1 faith !in+humanity/in+the+game/no+more/hill
    | found/accepted/loves/serves ~1 jesus/god/christ/allah/the+lord
      !christ+superstar/superstar/of+war/of+the+rings
    | prays/pray/praying/prayed every/to+god/to+allah/to+jesus/before/five/daily/at/in/together
      !rng/the+rng/a | prays/pray/praying ~1 rosary | five prayers | daily prayer*
    | prayer group/meeting/room
    | attend/attends/attending/go/goes/going/went/goes+back ~1 to? ~1
      church/mosque/synagogue/sunday+mass/bible/catholic+mass !street | at ~1 mass every
    | {my} ~1 church/pastor/priest/imam/rabbi/parish/congregation/mosque/synagogue/religion
      !of+chaos/build/main/healer/in+age
    | baptized/baptised/baptism/bar+mitzvah/bat+mitzvah/confirmation+class/first+communion
    | religion {be} | religious/spiritual beliefs/faith/upbringing/community
    | fasts/fasting/fast/observe/observes/observing/celebrate/celebrates/celebrating/keep/keeps ~1
      ramadan/lent/shabbat/sabbath/yom+kippur/eid/hanukkah/chanukah/passover/diwali/rosh+hashanah
    | keep/keeps/only/strictly ~2 kosher/halal !salt/pickle*/guys | jehovah* | scientolog*
    | bible study/study+group/verse*/camp/school
    | reads/read/reading/studies/studying ~1 bible/quran/koran/torah !belt
    | wears/wear/wearing ~1 hijab/kippah/yarmulke/turban/niqab/burka | missionary trip/work/in
    | sunday school | youth pastor | seminary
    | church choir/group/youth/community/member/friends/event*/volunteer*
    | volunteers at ~2 church/mosque/parish
    """,
    "de": """
    {bin}/wurde/als/glaubige*/streng ~2 christ/christin/katholik/katholikin/katholisch/
      evangelisch/protestant/moslem/muslim/muslima/muslimisch/jude/judin/judisch/hindu/buddhist/
      buddhistin/atheist/atheistin/agnostiker/mormone/religios/glaubig/konfessionslos
    | glaube/glaubt/glauben an gott/allah/jesus | betet/bete/beten zu/jeden/taglich/funf
    | zum islam/christentum/judentum ~1 konvertiert
    | geht/gehe/gehen ~4 kirche/moschee/synagoge !besichtigen
    | {mein} glaube/religion/pfarrer/gemeinde+betet/imam
    | getauft/konfirmiert/konfirmation/kommunion | fastet/faste im ramadan | kirchenaustritt
    | kirche ausgetreten/eingetreten
    """,
    "fr": """
    {suis}/croyant/pratiquant/eleve/devenu/devenue ~2 chretien/chretienne/catholique/protestant/
      protestante/musulman/musulmane/juif/juive/hindou/hindoue/bouddhiste/athee/agnostique/
      croyant/croyante/pratiquant/pratiquante/mormon/religieux/religieuse
    | croit/crois/croire en dieu/allah/jesus | prie/priere* chaque/tous/cinq/quotidienne*
    | converti/convertie a ~1 islam/christianisme/judaisme
    | va/vais/aller a ~1 messe/eglise/mosquee/synagogue | baptise/baptisee
    | fait/fais/pendant le ramadan | {mon} foi/religion/paroisse/imam/rabbin/pretre
    """,
    "es": """
    {soy}/criado/criada/como ~2 cristiano/cristiana/catolico/catolica/protestante/musulman/
      musulmana/judio/judia/hindu/budista/ateo/atea/agnostico/agnostica/creyente/religioso/
      religiosa/evangelico/evangelica/mormon | creo/cree/creer en dios/ala/jesus
    | rezo/reza/rezar a/cada/todas/todos
    | convirtio/converti/convertido al ~1 islam/cristianismo/judaismo
    | voy/va/vamos a ~1 misa/iglesia/mezquita/sinagoga | bautizad*
    | ayuna/ayuno en/durante ramadan | {mi} fe/religion/parroquia/iglesia/pastor+de
    """,
    "pt": """
    {sou}/criado/criada/como ~2 cristao/crista/catolico/catolica/protestante/muculmano/muculmana/
      judeu/judia/hindu/budista/ateu/ateia/agnostico/agnostica/religioso/religiosa/evangelico/
      evangelica/mormon/espirita/umbandista/crente | acredito/acredita/creio/cre em deus/ala/jesus
    | rezo/reza/oro/ora a/todo/todos/todas
    | converteu/converti ao ~1 islamismo/isla/cristianismo/judaismo
    | vou/vai/vamos a/na/para ~1 missa/igreja/mesquita/sinagoga/culto | batizad*
    | jejua/jejum ~1 ramadan/ramada | {meu} fe/religiao/paroquia/igreja
    """,
    "ru": """
    {she}/я ~2 христиан*/православн*/католик*/католичка/протестант*/мусульман*/иудей*/
      еврейской+веры/индуист*/буддист*/атеист*/агностик*/верующ*/баптист*/мормон*
    | верит/верю/веришь/верим/веруем в бога/аллаха/иисуса
    | молюсь/молится/молиться каждый/перед/богу/пять
    | принял/приняла/принять ислам/христианство/православие/иудаизм/крещение
    | хожу/ходит/ходим в церковь/мечеть/синагогу/храм | крестил*/крещен*
    | соблюдаю/соблюдает/держит/держу пост/рамадан/шаббат | {moj} вера/веру/религия/батюшка/имам
    """,
}

POLITICS = {
    "en": """
    vote/votes/voted/voting ~3 {party} !for+tomorrow
    | voted/votes/voting left/right/against+the+government | {my} vote for ~2 {party}
    | who ~2 voted/votes for ~2 {party}
    | am/m/is/was/re/s/a/an/registered/lifelong/staunch/proud/hardcore/self+described ~2
      {ideology} !with/about/in/when/estimate*/playstyle/faction/party+member+in/build/who+hoards/
      units
    | {be} ~2 politically/fiscally/socially conservative/liberal/left/right/progressive/moderate
    | {be} ~1 liberal !with/arts/about/use | {be} ~2 progressive $ | far/alt right/left
    | {be} ~1 left+wing/right+wing/left+leaning/right+leaning
      !back/player/forward/midfielder/defender | {be} ~2 feminist
    | leans ~2 left/right/conservative/liberal
    | left wing/right wing politics/views/politician*/activist/party
    | political views/beliefs/opinion/opinions/leaning/leanings/affiliation/activist/activism/
      stance/campaign/party/rally | {my} politics
    | politically active/engaged/left/right/conservative/liberal
    | support/supports/supporting/supported/back/backs/backed/campaign/campaigns/campaigned/
      canvass*/donated/donates/volunteered/volunteers ~3 trump/biden/harris/kamala/obama/clinton/
      bernie/sanders/desantis/republicans/democrats/gop/tories/tory+party/labour+party/labour/
      lib+dems/afd/cdu/spd/putin/bolsonaro/lula/macron/le+pen/vox/podemos/navalny/brexit/
      green+party/farage/maga
    | hate/hates/love/loves/like/likes/despise/despises/dislikes/for/anti/pro ~1
      trump/biden/putin/obama/bolsonaro/macron/maga/brexit !card/cards/suit/tower
    | {be} ~1 pro+life/pro+choice/pro+gun/pro+palestin*/pro+israel/anti+abortion/anti+vax*/
      anti+immigration/pro+immigration/pro+brexit/anti+fascist | antifa
    | member of ~3 republican+party/democratic+party/labour+party/green+party/conservative+party/
      communist+party/socialist+party/political+party/tory+party/dsa/afd/spd/cdu
    | attend/attends/attended/went/goes/going/joined/joins/at/organi* ~3 protest/protests/
      demonstration/demonstrations/political+rally/antiwar+march/climate+strike
    | protested/protests/protesting/marched against/for
    | runs/running/ran for ~1 office/mayor/congress/senate/parliament/city+council/
      president+of+the+country | ran/runs for local+office
    """,
    "de": """
    wahle/wahlt/gewahlt/wahlen/stimme/stimmt ~3 afd/cdu/csu/spd/fdp/grune/grunen/linke/bsw
    | afd/cdu/csu/spd/fdp/grune/grunen/linke ~2 gewahlt/wahlen/wahler*/mitglied/anhanger*
    | {bin} ~1 in/bei der/den afd/cdu/csu/spd/fdp/grunen/linken/linkspartei
    | mitglied ~2 afd/cdu/csu/spd/fdp/grunen/linken/partei
    | {bin} ~2 konservativ/kommunist*/sozialist*/anarchist*/nazi/faschist*/feministin/liberal/
      linksradikal/rechtsradikal/links+eingestellt/rechts+eingestellt/rechtsextrem/marxist
    | politisch ~1 links/rechts/aktiv/engagiert/konservativ
    | politische ~1 meinung/einstellung/ansichten | demonstriert/demonstriere fur/gegen
    | auf ~2 demo/demonstration ~1 gegen/fur
    """,
    "fr": """
    vote/votes/voter/votent/voterai ~3 macron/pen/melenchon/zemmour/rn/lfi/ps/gauche/droite/lr/
      ecolo*/bardella
    | {suis} ~2 communiste/socialiste/anarchiste/fasciste/royaliste/macroniste/gaulliste/
      feministe/conservateur/conservatrice/marxiste | {suis} de gauche/droite !cote
    | d extreme gauche/droite | {mon} opinions/idees/convictions politiques
    | milite/militer ~2 lfi/ps/rn/lr/parti/melenchon
    | militant/militante/adherent/adherente/encarte ~3 parti/lfi/rn/ps/lr/syndicat
    | soutient/soutiens ~2 macron/pen/melenchon/zemmour/trump | manifeste contre/pour
    """,
    "es": """
    voto/vota/votar/vote/votamos ~3 vox/psoe/pp/podemos/sumar/morena/milei/peron*/petro/izquierda/
      derecha/trump/ciudadanos
    | {soy} ~2 comunista/socialista/anarquista/fascista/franquista/peronista/feminista/chavista/
      marxista/conservador/conservadora/facha | {soy} de izquierda/izquierdas/derecha/derechas
    | {mi} ideas/opiniones/ideologia politicas/politica
    | milito/milita/afiliado/afiliada ~2 partido/psoe/vox/pp/podemos
    | apoyo/apoya ~2 trump/vox/maduro/milei/petro/bukele
    """,
    "pt": """
    voto/vota/votar/votei/votou ~3 lula/bolsonaro/pt/psdb/psol/ps/psd/chega/esquerda/direita/trump
    | {sou} ~2 comunista/socialista/anarquista/fascista/petista/bolsonarista/feminista/marxista/
      conservador/conservadora/lulista | {sou} de esquerda/direita
    | {meu} opinioes/ideologia/posicao politicas/politica
    | filiado/filiada/militante ~2 partido/pt/psol/chega/ps
    | apoio/apoia ~2 lula/bolsonaro/trump/chega
    """,
    "ru": """
    голосовал*/голосую/голосует/проголосов* ~3 путин*/навальн*/зеленск*/единую/единой/кпрф/лдпр/
      яблоко/трамп*/партию
    | {she}/я ~1 коммунист*/социалист*/анархист*/либерал*/консерватор*/фашист*/нацист*/монархист*/
      марксист*/феминистка
    | поддерживаю/поддерживает ~2 путин*/навальн*/зеленск*/трамп*/кпрф/лдпр/оппозици*/власть
    | член* партии | политическ* взгляд*/убеждени* | ходил*/хожу/ходит на митинг*
    | против/за путина/навального/трампа
    """,
}

ETHNICITY = {
    "en": """
    ^ am/is/was ~1 black/white/brown !belt/knight/mage/market/and/hat/sheep/in+chess/ops/haired/
      eyed/with/or/because/but/from/out/to | ^ user ~1 is black/white/brown
    | i am/m ~1 black/white/brown !belt/knight/mage/market/hat/sheep/in/ops/haired/eyed/or/out
    | black/white man/woman/guy/girl/person/male/female/lesbian/family/people/kid/dude/american
      !in+black | as a black/brown/white ~1 man/woman/guy/girl/person/gamer
    | am/m/is/was/re/s/half/part ~2 asian/latino/latina/latinx/hispanic/caucasian/romani/gypsy/
      arab/biracial/mulatto/mestizo/aboriginal/maori/inuit/kurd/kurdish/tamil/uyghur/ashkenazi/
      sephardic !food/cuisine/market/restaurant*/games/history/language*/lessons/speaker/fusion/
      sauce/pop | african/asian/mexican/native/black american
    | afro american/caribbean/latina/latino/brazilian | native hawaiian
    | mixed race/ethnicity !car | people/person/woman/man/women of color/colour
    | {be} half/part/quarter african/italian/irish/japanese/chinese/korean/german/mexican/indian/
      polish/greek/nigerian/black/white/jewish/arab/turkish/filipino/vietnamese/russian/spanish/
      brazilian/persian/cherokee/navajo/native/cuban/french/scottish/thai/ethiopian
    | half white/black/asian/indigenous/native | of/from ~1 descent !into/of
    | of/with/{have}/share/my ~2 ancestry
    | african/irish/italian/jewish/asian/chinese/mexican/indian/native/german/polish/greek/arab/
      slavic/scandinavian/latin/celtic/hispanic/aboriginal ~2
      ancestry/heritage/roots/descent/bloodline/origin
    | {my} ~1 ethnicity/ethnic+background/ethnic+origin/ancestry/racial+background/skin+color/
      skin+colour/heritage !site | ethnically
    | ethnic/racial minority/group/identity/origin/background | dark/light/brown/pale skinned
    | cherokee/navajo/sioux/indigenous tribe/person/woman/man/people/nation/community
    | {be} ~1 indigenous | dna/ancestry test ~3 percent/african/european/asian/jewish
    | roma/romani people/family/community/origin
    """,
    "de": """
    {bin} ~2 schwarz*+deutsche/schwarzer/schwarze/afrodeutsch*/roma/sinti/kurde/kurdin/kurdisch/
      araber/araberin/halbjapaner*/asiatin/asiate/dunkelhautig/farbig/weisser/halbschwarz
      !kater/katze/hund | {mein} ~1 ethnische/ethnizitat/hautfarbe/abstammung
    | jud*/afrikanisch*/arabisch*/kurdisch*/asiatisch*/indigen* abstammung/herkunft/wurzeln
    | migrationshintergrund
    """,
    "fr": """
    {suis} ~2 noir/noire/blanc/blanche/metis/metisse/arabe/asiatique/rom/tzigane/kabyle/berbere/
      kurde/beur/maghrebin/maghrebine !de/et/comme
    | origine/origines/racines/ascendance/descendance maghrebine*/africaine*/arabe*/juive*/
      asiatique*/kabyle*/ethnique*/berbere*/antillaise* | couleur de peau
    """,
    "es": """
    {soy} ~2 negro/negra/mestizo/mestiza/mulato/mulata/indigena/gitano/gitana/afrodescendiente/
      arabe/asiatico/asiatica/blanco/blanca $
    | {soy} ~1 gitano/gitana/indigena/mestizo/mestiza/afrodescendiente/mulato/mulata
    | ascendencia/raices/origen africana*/indigena*/judia*/arabe*/gitana*/asiatica*/etnico
    | color de piel | {mi} etnia/raza !de+perro
    """,
    "pt": """
    {sou} ~2 negro/negra/pardo/parda/preto/preta/branco/branca/indigena/cigano/cigana/mulato/
      mulata/mestico/mestica/afrodescendente/asiatico/asiatica $
    | {sou} ~1 negro/negra/pardo/parda/indigena/cigano/cigana/afrodescendente
    | ascendencia/raizes/origem africana*/indigena*/judaica*/arabe*/asiatica*/etnica
    | cor da pele/de+pele | {meu} etnia
    """,
    "ru": """
    {she}/я ~1 негр/чернокож*/цыган/цыганка/еврей/еврейка/татарин/татарка/чеченец/чеченка/азиат/
      азиатка/кавказец/метис/метиска/курд/башкир*/чуваш*
    | по национальности еврей*/татар*/цыган*/чечен*/башкир*
    | еврейск*/цыганск*/татарск*/африканск*/азиатск* корни/происхождени*/кров* | цвет кожи
    """,
}
