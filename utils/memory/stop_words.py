"""Function words of each language that :mod:`utils.memory.stems` can tell, accents folded.

They are dropped from stems and vote for the language of a text. Short on purpose: a word that can
carry meaning in a short message (a name, a number, "yes") is better kept.
"""

_EN = """
a about above after again all also am an and any are aren't as at be because been before being
below between both but by can can't cannot could couldn't did didn't do does doesn't doing don't
dont down during each few for from further had hadn't has hasn't have haven't having he he'd he'll
he's her here hers herself him himself his how i i'd i'll i'm i've if im in into is isn't it it's
its itself ive just let's me more most my myself nor of off on once only or other our ours
ourselves out over own same she she'd she'll she's should shouldn't so some such than that that's
the their theirs them themselves then there there's these they they'd they'll they're they've this
those through to too under until up very was wasn't we we'd we'll we're we've were weren't what
what's when where which while who who's whom why will with won't would wouldn't you you'd you'll
you're you've your yours yourself yourselves http https www
"""
_DE = """
aber alle allem allen aller alles als am an auch auf aus bei beim bin bis bist da damit dann das
dass daß dein deine deinem deinen deiner dem den denn der des dich die dies diese diesem diesen
dieser dieses dir doch dort du durch ein eine einem einen einer eines er es etwas euch euer eure
für gegen hab habe haben hast hat hatte hatten hier hinter ich ihm ihn ihnen ihr ihre ihrem ihren
ihrer im in ins ist ja jede jedem jeden jeder jedes jetzt kann kannst können mal man mein meine
meinem meinen meiner mich mir mit nach nicht noch nun nur ob oder ohne sehr sein seine seinem
seinen seiner seit sich sie sind so über um und uns unser unsere unter vom von vor war waren warst
was weil wenn wer werde werden wie wir wird wirst wo wurde wurden zu zum zur zwischen
"""
_FR = """
à ai au aux avait avec avez avoir avons c ce ceci cela ces cet cette ceux chez comme d dans de des
donc du elle elles en es est et étaient était être eu eux fait il ils j je jusque l la là le les
leur leurs lui m ma mais me même mes moi mon n ne ni nos notre nous on ont ou où par parce pas
plus pour pourquoi qu quand que quel quelle quels qui s sa sans se ses si soit son sont suis sur t
ta te tes toi ton tous tout toute toutes très tu un une vos votre vous y aujourd
"""
_ES = """
a al algo ante antes aquí así aunque cada como con contra cual cuando de del desde donde durante e
el él ella ellas ellos en entre era eran eres es esa esas ese eso esos esta está estaba están
estar estas este esto estos estoy fue fueron ha había han has hasta hay he la las le les lo los
más me mi mí mis mucho muy nada ni no nos nosotros o os otra otro para pero por porque que qué
quien se sea ser si sí sin sobre son soy su sus también tanto te tengo ti tiene todo todos tu tú
tus un una uno unos usted y ya yo
"""
_PT = """
a ao aos aquela aquele aqui as até com como da das de dela dele deles depois do dos e é ela elas
ele eles em entre era eram essa esse esta está estão estar estava este estou eu foi foram há isso
isto já lhe mais mas me mesmo meu meus minha minhas muito na não nas nem no nos nós nossa nosso
num numa o os ou para pela pelo por porque quando que quem são se sem ser seu seus só sou sua suas
também te tem tenho ter teu tinha tu tua um uma você vocês
"""
_IT = """
all dell nell a ad agli ai al alla alle allo anche avere aveva c che chi ci come con cosa cui d da
dagli dai dal dalla dalle degli dei del della delle dello di dopo dove e è ed era erano gli ha hai
hanno ho i il in io l la le lei li lo loro lui ma me mi mia mie miei mio molto ne negli nei nel
nella nelle no noi non nostro o ogni per perché più poi quale quando quella quello questa queste
questi questo qui se sei senza si sia siamo sono sta su sua sue sugli sui sul sulla suo suoi te ti
tra tu tua tuo un una uno vi voi
"""
_NL = """
aan al alles als altijd ben bij daar dan dat de der deze die dit doch doen door dus een en er ge
geen haar had heb hebben heeft hem het hier hij hoe hun ik in is ja je jij jouw jullie kan kon
maar me meer men met mij mijn moet na naar niet niets nog nu of om omdat ons onze ook op over
reeds te toch toen tot u uit uw van veel voor want waren was wat we wel werd wie wij wil worden
wordt zal ze zei zich zij zijn zo zonder zou
"""
_SV = """
alla allt att av bara blev bli blir de dem den denna deras dess det detta dig din dina ditt du där
då efter ej eller en er ert ett från för han hans har henne hennes hon honom hur här i icke ingen
inom inte jag ju kan kunde man med mellan men mig min mina mitt mot mycket ni nu när någon något
några och om oss på samma sedan sig sin sina skulle som så till under upp ut utan vad var vara
varför varit vem vi vid vilken än är åt över
"""
_PL = """
aby albo ale bardzo bez bo być był była było były co czy dla do gdy gdzie go i ich ile im ja jak
jako je jego jej jest jestem jeszcze jeśli już kiedy kto który która które lub ma mam mi mnie moja
moje mój my na nad nam nas nie nim no o od on ona one oni ono oraz po pod ponieważ przed przez
przy sam się są ta tak także tam te tego tej ten to tu tutaj twoja twój ty tylko tym w was we więc
wy z za ze że
"""
_TR = """
acaba ama ancak artık aslında az bana bazı belki ben benim beri bir biz bu bunu böyle çok çünkü da
daha de değil diye en gibi hem hep her hiç için ile ise kadar ki kim mi mu mı ne neden nerede
nasıl o olan olarak onlar onu sadece sana sen senin siz şey şu şunu tüm var ve veya ya yani yok
"""
_RU = """
а без более бы был была были было быть в вам вас ведь весь во вот все всё всего всех вы где да
даже для до его ее её если есть еще ещё ж же за здесь и из или им их к как ко когда которая
которые который кто ли либо меня мне может мой моя моё мои мы на над надо нас не него нее нет ни
них но ну о об однако он она они оно от очень по под при с свой себя со так также такой там тебя
тем теперь то тогда того тоже той только том ты у уже чего чей чем что чтобы эта эти это этого
этой этот я
"""
_UK = """
або але без би був була було були в вам вас ваш вже ви від він вона вони воно все всі де для до є
же за з зі і із й його її їх його коли мене мені ми мій моя на над нам нас наш не ні ну о один от
по при про та так також там те ти тим то того тобі тоді тут у хто це цей ця ці чи чому що щоб як
який яка яке які якщо я
"""
_EL = """
αλλα αν απο αυτα αυτη αυτο αυτος για δε δεν ειμαι ειναι εισαι εγω εμεις ενα εναν ενας εσυ η ηταν
θα και καθε κατα κι μα με μετα μη μην μια μου να ο οι ομως οπως οταν οτι ου πιο που προς πολυ πως
σε σου στα στη στην στις στο στον στους τα τη την της τι τις το τον του τους των ως
"""
_AR = """
في من على الى إلى عن مع هذا هذه ذلك تلك التي الذي الذين ان أن إن كان كانت يكون هو هي هم هن انا أنا
انت أنت نحن لا ما لم لن قد كل بعض غير بين بعد قبل عند او أو ثم حتى اذا إذا كما لكن و يا ليس منذ
هنا هناك أي كيف لماذا متى أين جدا فقط أيضا
"""
_HI = """
और का की के को में से है हैं था थी थे हो होता पर भी यह वह ये वे इस उस कि जो तो ही ने एक नहीं मैं
हम तुम आप मेरा मेरी मेरे मुझे उसके अपना अपने अपनी कर करना किया लिए साथ या क्या कब कहाँ कौन कैसे
बहुत अब तक
"""
# Languages written without spaces are cut into bigrams: these are the empty ones.
_JA = """
です ます した して ている てい いる った って から まで など だっ でし まし ませ せん ない なっ
され れる する こと もの よう それ これ あれ この その あの ここ そこ とか けど だけ には では
とは のは のが のを 私は 私の 僕は 僕の 俺は は が を に で と の も へ や か ね よ な だ
"""
_ZH = """
我们 你们 他们 她们 什么 一个 这个 那个 这是 那是 的是 因为 所以 但是 如果 可以 没有 不是 就是
还是 我的 你的 他的 她的 我是 你是 他是 的 了 是 在 我 你 他 她 它 和 也 都 很 就 吗 呢 吧 啊 这
那 有 不 與 這個 們 我們 你們 他們 因為 沒有 這 個
"""
_KO = """
나는 내가 나의 너는 네가 그는 그가 그녀는 우리는 저는 제가 이 그 저 것 수 등 및 그리고 하지만
그런데 그래서 또는 이것 그것 저것 여기 거기 있는 있다 없는 없다 하는 한다 합니다 입니다 이다 아주
너무 매우
"""

_LIKES_DE = """
gern gerne hallo heiße heißt liebe mag spiele wohne arbeite meist gestern heute morgen danke
"""
_LIKES_FR = """
aime adore joue habite travaille bonjour merci chien hier demain beaucoup voudrais
"""
_LIKES_ES = """
gusta gustan encanta juego vivo trabajo hola gracias ayer mañana perro quiero
"""
_LIKES_PT = """
gosto adoro jogo moro trabalho obrigado obrigada ontem amanhã cachorro quero
"""
_LIKES_IT = """
piace piacciono adoro gioco abito lavoro ciao grazie ieri domani cane voglio
"""
_LIKES_NL = """
hou houd speel woon werk graag hallo bedankt gisteren morgen hond leuk
"""
_LIKES_SV = """
gillar älskar spelar bor jobbar tycker hej tack igår imorgon hund
"""
_LIKES_PL = """
lubię kocham gram mieszkam pracuję cześć dzięki wczoraj jutro pies
"""
_LIKES_TR = """
seviyorum oynuyorum yaşıyorum çalışıyorum merhaba teşekkürler dün yarın köpek
"""
_ENGLISH_TOO = """
a ad ai al all also am an as at az bara ben bin bin c come com con d da dan dann das de den der
des dig die do door du e en er era es et fur go ha had has hat he hem her hans ho hoe hun i im in
ins is j ja je l la las le les lo los m ma mal man me men mi mit mon my na no nu o of on or os
over pas per plus pour s sa se sei si sie sin so son sta sur sam t ta tam te ten tes till to ton
too tu u um un una under van var w want war was we who wie will y ya z zu adoro hallo hej gram
"""
STOP_WORDS: dict[str, frozenset[str]] = {
    language: frozenset(words.split())
    for language, words in {
        "en": _EN, "de": _DE, "fr": _FR, "es": _ES, "pt": _PT, "it": _IT, "nl": _NL, "sv": _SV,
        "pl": _PL, "tr": _TR, "ru": _RU, "uk": _UK, "el": _EL, "ar": _AR, "hi": _HI, "ja": _JA,
        "zh": _ZH, "ko": _KO,
    }.items()
}  # fmt: skip
"""ISO code -> function words, lower case, spelt with their accents."""

MARKERS: dict[str, frozenset[str]] = {
    language: frozenset(words.split())
    for language, words in {
        "de": _LIKES_DE, "fr": _LIKES_FR, "es": _LIKES_ES, "pt": _LIKES_PT, "it": _LIKES_IT,
        "nl": _LIKES_NL, "sv": _LIKES_SV, "pl": _LIKES_PL, "tr": _LIKES_TR,
    }.items()
}  # fmt: skip
"""ISO code -> content words that tell the language of a short chat message; never dropped."""

ENGLISH_TOO = frozenset(_ENGLISH_TOO.split())
"""Function words elsewhere that are also English, a name or a shout: half a vote each."""
