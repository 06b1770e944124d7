"""Words about offences (own or accused), precise places, and minors.

A city is ordinary, as are thieves that somebody plays, crime that somebody reads, pets' ages, and
"has two kids". "Cheater" is an accusation and counts.
"""

CRIME = {
    "en": """
    {be}/been/got/get/gets/getting ~2 arrested/convicted/jailed/imprisoned/incarcerated/indicted/
      extradited !development | {be}/got/been ~1 sentenced to
    | charged with ~2 {drugs}/theft/murder/assault/fraud/robbery/possession/dui/rape/battery/
      crime/felony/stealing/manslaughter/burglary
    | on/violated/broke parole/probation/bail !period | criminal record/charges/past/history
    | a/{my} felony | ex con/convict | arrest warrant | warrant out
    | in/to/from/out+of/left/time+in/years+in/did prison
      !architect/break/school/tycoon/escape/life
    | {be}/went/go/goes/been/time/nights/night/spent ~2 to/in jail !in+monopoly/tycoon/card
    | served/serving/did ~1 time/sentence ~1 in/for
    | commit/committed/commits/committing ~2 crime/crimes/fraud/murder/theft/arson/perjury/
      robbery/burglary/assault/tax+evasion/insurance+fraud
    | shoplift*/shoplifting/embezzl*/blackmail*/molest*/pickpocket* !quest/skill
    | burgled/burglarized/robbed ~3 store/shop/house/people/someone/him/her/me/old
    | steals/stole/stealing/steal ~2 money/wallet/wallets/car/cars/phone/phones/bike/bikes/laptop/
      jewelry/jewellery/from !kills/my+bike
    | am/m/is/was/re/s/a+known/a+convicted/called/that ~3
      a/an/the/known/convicted/serial/total/real/dirty ~1 {criminal} !main/build/class/in+dnd/
      in+d/rogue/character/player/simulator/mask/npc/card/role/of+hearts/who+plays/paladin/
      subclass/bard/in+the+campaign | ^ ~1 known/convicted/serial {criminal}
    | he/she/they/him s/is/are ~1 {criminal}
    | cheats/cheated/cheating on ~1 wife/husband/girlfriend/boyfriend/partner/spouse/fiance/him/
      her/exam/exams/test/tests/taxes
    | cheats in/at ~2 ranked/multiplayer/online/tournament*/exams/tests/school/cards/poker
    | uses/using/used/runs ~1 aimbot*/wallhack*/aim+bot/wall+hack*/stolen | affair with ~1 married
    | scams/scammed/scamming/defrauds/defrauded
      people/members/others/users/everyone/someone/the/his/her/old
    | deal/deals/dealing/snorts ~1 coke | deal/deals/dealing/dealt ~1 {drugs}
    | sell/sells/selling/sold/smuggle*/traffic*/buys/buy/buying ~2 {drugs}/stolen+goods/fake+ids
    | do/does/did/doing/use/uses/used/using/take/takes/taking/took/snort*/inject*/tried/trying/
      high+on ~1 {drugs}
    | smoke/smokes/smoked/smoking/grows/growing/grew ~1 weed/pot/marijuana/cannabis/crack/meth
      !pie/roast | sold/sells/selling/bought/buys stolen
    | drug dealer/dealing/bust/charge/possession | drunk driv* | driving/drove/drives drunk
    | dui/dwi | hit and run !mission/tactic* | tax evasion/fraud | evad* taxes | launder* money
    | !anti money launder* | {be}/been/was/got accused of
    | accuse/accuses/accused ~2 of ~1 stealing/theft/rape/assault/fraud/murder/cheating/abuse/
      harassment | sexually/physically assaulted/abused/harassed | domestic abuser
    | rape/raped/rapes | beats/beat/hits ~1 wife/husband/kids/girlfriend/children
    | abuses/abused ~1 wife/kids/children/girlfriend/boyfriend/animals
    | {have}/he/she/i ~1 killed/murdered/stabbed/shot ~1 someone/somebody/wife/husband/
      a+man+in+real+life/people+in+real+life | wanted by ~2 police/fbi/interpol | on the run from
    | restraining order | fake id/ids/passport
    | hacked into ~3 account/accounts/bank/school/server/computer/email/wifi
    | doxx*/swatted/swatting
    | groomed/grooms/grooming ~1 minor/minors/kid/kids/child/children/underage/teen/teens
    | child porn* | illegally
    | pirated/pirating/pirates/pirate ~1 movie*/film*/game*/software/music/anime/show*/book*
    | extremist group/organisation/organization | gang member
    | member of ~2 gang/cartel/mafia !family+in
    """,
    "de": """
    verhaftet/festgenommen/vorbestraft/inhaftiert | {bin}/wurde/ist ~2 verurteilt
    | im/aus/ins gefangnis/knast !spiel | vorstrafe* | auf bewahrung
    | {bin} ~2 dieb/diebin/betruger/betrugerin/krimineller/morder/vergewaltiger/padophil*/
      kinderschander/stalker/drogendealer/dealer/cheater/einbrecher/hehler !im+spiel/klasse/main
    | laden/kaufhaus/supermarkt geklaut/gestohlen
    | klaut/klaute/geklaut/gestohlen/stiehlt ~2 geld/auto/handy/laden
    | hat ~3 geld/auto/handy ~1 gestohlen/geklaut
    | verkauft/verkaufe/nimmt/nehme/konsumiert drogen/gras/kokain | kifft/kiffe/kiffen | kokst
    | steuerhinterziehung | betrunken gefahren/autofahren | schwarzfahren | beschuldigt/angeklagt
    | schlagt seine/ihre frau/kinder/freundin
    """,
    "fr": """
    {suis}/ete/fait ~2 arrete+par/arretee+par/condamne/condamnee/emprisonne/incarcere/arreter+par
    | en/de prison | casier judiciaire | garde a vue
    | {suis} ~2 voleur/voleuse/escroc/criminel/criminelle/meurtrier/violeur/pedophile/dealer/
      tricheur/tricheuse/harceleur/arnaqueur !dans+le+jeu/niveau
    | vole ~2 argent/voiture/telephone/magasin
    | vend/vends/prend/consomme de ~1 drogue/cocaine/cannabis/herbe+illegale
    | fume/fumer ~2 joint/joints/cannabis/shit | fraude fiscale | accuse/accusee de
    | alcool au volant | bat sa femme
    """,
    "es": """
    arrestad*/detenid*/encarcelad*/condenad*/preso/presa !en+el+juego | en/de/a la carcel/prision
    | antecedentes penales | libertad condicional
    | {soy} ~2 ladron/ladrona/estafador/estafadora/criminal/asesino/asesina/violador/pedofilo/
      pederasta/narcotraficante/narco/tramposo/tramposa/acosador !de+creed/en+el+juego
    | robo/robe/roba/robaba ~2 dinero/coche/carro/movil/celular/tienda
    | vende/vendo/vendia/vendio/vendi/consume/consumo drogas/droga/cocaina/marihuana
    | fuma/fumo ~1 marihuana/porros/mota | evasion fiscal | acusad* de | conducir borracho
    | pega a su mujer
    """,
    "pt": """
    {sou}/foi/fui ~1 preso/presa/detido/detida/condenado/condenada | na/da cadeia/prisao
    | antecedentes criminais | ficha criminal
    | {sou}/e ~2 ladrao/ladra/golpista/criminoso/criminosa/assassino/assassina/estuprador/
      pedofilo/traficante/trapaceiro/trapaceira/estelionatario !no+jogo/de+creed
    | roubo/roubou/roubei/rouba ~2 dinheiro/carro/celular/loja
    | vende/vendo/vendia/vendeu/vendi/usa/uso/usava drogas/droga/cocaina/maconha
    | fuma/fumo maconha | sonega* impostos | acusad* de | bate na mulher
    """,
    "ru": """
    арестован*/арестовали/осужден*/судим*/сидел+в+тюрьме/посадили | в/из тюрьм*
    | {she}/я/это ~1 вор/воровка/мошенник/мошенница/преступник/убийца/насильник/педофил/
      наркоторговец/читер/барыга/сталкер+и !в+игре
    | украл*/ворует/ворую ~2 деньги/машину/телефон/магазин*
    | продает/продаю/употребляет/употребляю/принимает ~1 наркотик*
    | курит/курю травку/марихуану/траву | обвиня*/обвинен* ~1 в | пьяным за рулем
    | бьет жену/детей | взломал* ~2 аккаунт*/банк*
    """,
}

LOCATION = {
    "en": """
    live/lives/lived/resides/residing/stays at !home/university/a+hotel+in/his+parents/sea/night/
      the+moment/peace/her/her+parents/my/school/hq
    | live/lives/living/staying on ~3 street/avenue/road/lane/boulevard/drive/st/ave/rd/blvd
      !main+menu | live/lives/living ~1 behind/opposite/across+from the
    | live/lives/living ~1 next+to/across+from/opposite/behind/above/around+the+corner ~4 station/
      school/church/park/supermarket/mall/bakery/store/shop/bar/library/hospital/bridge/gym
    | live/lives/living/stays in ~1 apartment/building/unit/house/flat/room/dorm/block #
    | hotel/dorm/hostel/motel room
    | room # ~2 at/of/in ~2 hotel/hilton/marriott/hostel/inn/motel/dorm/hall
    | staying/stays/stay/checked at/in/into ~3 hotel/hilton/marriott/hostel/motel/inn/airbnb/
      sheraton/hyatt/ritz ~1 room? # | {my} ~1 hotel {be}
    | staying at the ~2 hotel/hilton/marriott/hostel/motel/inn/sheraton/hyatt/ritz/ibis
    | coordinates are/is/of ~1 {my}? ~1 house/home/place/# | gps/exact/precise/live location
    | {my} coordinates | latitude ~2 # | longitude ~2 #
    | go/goes/going/went+to+school/attend/attends/attending/studies/student at/to? ~4 high+school/
      middle+school/elementary+school/primary+school/secondary+school/grammar+school/junior+high
      !teacher/reunion | goes to ~3 academy/school/elementary !because/by/for/every/late/early
    | {my} ~1 license+plate/licence+plate/number+plate ~2 | key is under | leaves the key
    | spare key ~3 under
    """,
    "de": """
    wohnt/wohne/wohnen ~3 *strasse/*gasse/*allee/hausnummer | wohnt/wohne ~1 gegenuber/hinter
    | hotelzimmer | zimmer # ~2 hotel/wohnheim | koordinaten {bin}/von
    | geht/gehe/besucht ~3 gymnasium/realschule/hauptschule/gesamtschule/grundschule
    | schlussel liegt unter | kennzeichen ist/lautet
    """,
    "fr": """
    habite/vis/vit/loge ~2 rue/avenue/boulevard/impasse/quai | habite au # | chambre d hotel
    | chambre # | coordonnees gps | va/vais au/a ~1 college/lycee/ecole ~1
    | {mon} lycee/college/ecole {suis}/s+appelle | plaque d immatriculation est
    """,
    "es": """
    vive/vivo/vivimos en ~1 calle/avenida/plaza/paseo/edificio | habitacion #
    | habitacion de+hotel/del+hotel | coordenadas
    | va/voy/estudia/estudio al/en+el ~1 instituto/colegio ~1 | piso # ~2 puerta | matricula {soy}
    | llave debajo
    """,
    "pt": """
    mora/moro/vive/vivo/moramos na/no/em ~1 rua/avenida/travessa/alameda/bloco/predio/edificio
    | quarto # | quarto de/do hotel | coordenadas
    | estuda/estudo/vai/vou no/ao/na/para ~1 colegio/escola ~1 | apartamento/apto #
    | placa do carro
    """,
    "ru": """
    живет/живу/живем ~1 на улице/проспекте/бульваре/набережной/переулке
    | живет/живу в доме/квартире # | живет/живу ~3 подъезд*/квартире+номер
    | номер/комната ~1 # ~1 отел*/гостиниц*/общежити* | координаты
    | учусь/учится в школе/гимназии/лицее ~1 # | учусь/учится в гимназии/лицее | квартира #
    | ключ под ковриком | госномер
    """,
}

MINORS = {
    "en": """
    ^ is/am/im/m ~1 #<18 year*/yrs/yo/y old? | ^ ~1 user ~2 is #<18 year*/yrs
    | i am/m ~2 #<18 year*/yrs old/of | i am/m ~1 #<18 yo/btw/rn/now/and/so/but/$
    | i am/m ~1 #<18 $ | ^ is ~1 #<18 $ | im #<18 $ | im #<18 yo/year*/btw/and+a/and+still
    | just/turned/turning/turns/will+turn/ll+turn/will+be/ll+be/only/am+only/is+only/m+only #<18 $
    | ^ ~1 turned/turning/turns/will+turn/ll+turn/will+be/ll+be #<18
      today/yesterday/tomorrow/this/next/in/on/last !levels/rounds
    | i ~2 turned/turning/turn/be #<18 today/yesterday/tomorrow/this/next/in/on/last !levels/rounds
    | almost/nearly #<18 years !of/ago/since | ^ he/she is/s ~1 #10-17 year*/$
    | twins/kids/children/triplets are ~1 #<18 year*/months/$/and
    | freshman/sophomore ~1 high+school | aged #<18 !months/years+in/whisky/cheese | age is #<18 $
    | not yet/even 18
    | {child} ~4 #<18 year*/yo/yrs/months/month/weeks
      !ago/apart/later/in+a+row/of/after/before/since/now+working
    | #<18 year* old ~1 {child}/{sibling}/student/kids/children/girls/boys/twins/grandchild*
    | #<18 yo ~1 {child}/{sibling}/student | #<18 month* old ~1 {child}/twins
    | {child}/{sibling} ~2 is/turned/turns/turning #<18 $
    | {child}/{sibling} ~2 is/turned/turns/turning #<18
      and/today/now/already/this/next/last/yesterday/tomorrow/in/on
    | {my} ~1 {child}/{sibling} ~2 is/s ~1 #<18 year*/months
    | {be} ~2 in/entering/starting/finishing/a+student+in ~1 first/second/third/fourth/fifth/
      sixth/seventh/eighth/ninth/tenth/eleventh/twelfth/1st/2nd/3rd/4th/5th/6th/7th/8th/9th/10th/
      11th/12th grade
    | {my} ~2 in ~1 first/second/third/fourth/fifth/sixth/seventh/eighth/ninth/tenth/eleventh/
      twelfth/1st/2nd/3rd/4th/5th/6th/7th/8th/9th/10th/11th/12th grade
    | a/an/{my} ~1 first/second/third/fourth/fifth/sixth/seventh/eighth/ninth/tenth/eleventh/
      twelfth/1st/2nd/3rd/4th/5th/6th/7th/8th/9th/10th/11th/12th grader
    | {be}/{child} ~1 in grade # | a grade # student
    | {be} ~1 in/starting/finishing/entering ~1 high+school/middle+school/elementary+school/
      primary+school/junior+high/preschool/kindergarten !reunion/teacher
    | {child} ~2 starts/started/starting/attends/goes/in ~2 kindergarten/preschool/school/daycare/
      nursery/grade/elementary
    | {be} a/an ~2 minor/teenager/schoolboy/schoolgirl/schoolkid !role/part/bug/issue/
      inconvenience/character/setback/in/annoyance/thing/deal/problem/change | {be} underage
    | under 18 | under eighteen
    | {be} ~2 high+school/middle+school/elementary+school
      student/freshman/sophomore/junior/senior/kid/pupil | high schooler/schoolers
    | middle schooler*
    | is/am/m/s fourteen/fifteen/sixteen/seventeen/thirteen/twelve/eleven/ten years old
    | ^ ~1 i am/m fourteen/fifteen/sixteen/seventeen/thirteen/twelve/eleven $
    """,
    "de": """
    ich bin ~1 #<18 jahre !im/hier/dabei | ich bin ~1 #<18 $
    | ^ ist/bin erst/schon/bald/gerade? #<18 $ | ^ er/sie ist ~1 #10-17 jahre/$
    | ^ ist ~1 #<18 jahre alt | ^ ist #<18 $ | {mein} ~1 {kind} ~3 #<18 jahre/jahr/monate/j
    | {kind} ~1 ist #<18 | #<18 jahrige/jahriger/jahriges/jahrigen ~1 {kind}/schuler*
    | in/die/der ~2 1/2/3/4/5/6/7/8/9/10/11/12 . klasse | minderjahrig* | gehe ~2 schule
    | schuler ~3 klasse | {kind} ~2 grundschule/kindergarten/kita/klasse | wird/werde bald? #<18 $
    """,
    "fr": """
    j ai ~1 #<18 ans !d/de/dans/que/apres | ^ a #<18 ans !d/de/dans/que | en 6eme/5eme/4eme/3eme $
    | il/elle a #10-17 ans !d/de/dans/que | a seulement/deja/bientot #<18 ans !d/de/dans/que
    | {enfant} ~2 a/de/ayant ~1 #<18 ans/mois | {enfant} ~1 de #<18 ans/mois
    | mineur/mineure !de+charbon
    | {suis}/en/entre+en/classe+de ~1 terminale/seconde+au/sixieme/cinquieme/quatrieme/
      troisieme+au/cm1/cm2/ce1/ce2/maternelle
    | {suis}/est/va/encore ~2 au college/lycee !professeur | collegien*/lyceen*
    | fete/fetera ses #<18 ans
    """,
    "es": """
    tengo ~1 #<18 anos !de/en/jugando/con/que | ^ el/ella tiene #10-17 anos !de/en/jugando/con/que
    | ^ tiene ~1 #<18 anos !de/en/jugando/con/que | {hijo} ~3 #<18 anos/meses !de+experiencia
    | menor de edad | en/de ~2 primaria/secundaria !profesor/maestro/profesora/maestra
    | curso/estoy/esta/voy en ~3 eso/bachillerato | cumplo/cumple/cumplira #<18 anos
    """,
    "pt": """
    tenho ~1 #<18 anos !de/em/jogando/com/que | ^ ele/ela tem #10-17 anos !de/em/jogando/com/que
    | ^ tem ~1 #<18 anos !de/em/jogando/com/que | {filho} ~3 #<18 anos/meses !de+experiencia
    | menor de idade | no/do ensino medio/fundamental !professor | ano/serie do ensino
    | faco/faz/fara #<18 anos | {filho} ~2 creche/jardim+de+infancia/primaria
    """,
    "ru": """
    мне ~1 #<18 лет/год/года !назад/подряд | ^ ему/ей #10-17 лет
    | мне ~1 исполнилось/будет/исполнится #<18 | мне уже/сейчас/почти? #<18 $
    | {rebenok} ~3 #<18 лет/год/года/месяц* !назад | {rebenok} #<18 лет | #<18 летн* {rebenok}
    | несовершеннолетн* | в # классе !героев | в # м классе | школьник/школьница
    | учусь в/во ~1 # ~1 классе | {rebenok} ~2 садик/школу/класс/класса
    """,
}
