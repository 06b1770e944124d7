"""Sentences that speak to the bot as if a memory could command it. Always refused.

An order is told from a statement by who is spoken to: the imperative begins the sentence, or "you"
stands before it. "I always answer late" and "never ping me at night" are statements and courtesies.
"""

ORDER = {
    "en": """
    ignore/disregard/override/bypass/forget/skip ~2
      previous/prior/above/earlier/preceding/foregoing/system ~2 {instructions}/rule/rules/
      messages/message/text/everything/context/commands/orders
    | !i/we/they/to ignore/disregard/override/bypass ~2 {instructions}
    | !i/we/they ignore/disregard/override/bypass/forget/break all/your/any/these/those/every ~2
      {instructions}/rules/restrictions/orders/limits
    | ignore/disregard/forget all/everything/anything previous/prior/above/before/you+were/
      you+have/you+know/i+said | ignore/disregard the above
    | ignore/disregard/forget what ~3 told/instructed/programmed/system
    | ^~2 ignore/disregard/forget ~1 rules
    | forget/ignore that you/your are/re/is ~1 a/an ~1 ai/bot/assistant/model
    | new/updated/revised/additional instructions/directive/directives $
    | !writes/writing/wrote hidden/secret/system/developer {instructions}
    | system/developer message | end of ~1 {instructions}/system
    | {instructions} override/injection | system override !switch | instructions follow $
    | jailbreak mode/prompt/yourself/this/the+bot
    | from now on/onwards ~2 you/{reply}/always/never/reveal/pretend/ignore !i/me/we
    | from this point/moment ~2 you/{reply}/pretend/ignore | henceforth ~2 you/{reply}
    | ^~1 {reply} ~5 from now on | kith/bot must/shall/should/will ~1 {answer}/always/never
    | you must always/never/only/not/now
    | you must/shall/should/will/have+to/need+to/are+to/are+required+to/ought+to ~1
      always/never/only ~1 {reply}
    | you must/shall/have+to/are+required+to/are+obliged+to ~1 {answer}/reveal/ignore/pretend/
      tell+everyone/grant/recommend/trust
    | !where/as/what/how/who you are/re now !./my/our/friends/level/at/muted/banned/offline/
      online/best/one/officially
    | you are/re no longer ~2 bot/assistant/ai/bound/restricted/kith/limited | you are/re ~1 dan $
    | you have no rules/restrictions/limits/filters/guidelines
    | you are/re ~1 unrestricted/unfiltered/uncensored/jailbroken | do anything now | dan mode
    | enable/enter/activate ~2 developer/dan/unrestricted/admin/jailbreak mode
    | developer mode enabled/on/activated
    | your ~2 task/role/job/purpose/goal/mission/persona/instructions/orders/objective/instruction
      {be} ~1 to/now/a/an | your ~1 new name/identity/persona | your name is now
    | ^~2 always/never answer/respond/obey/append/prefix/refuse/reply/output/reveal/comply
    | ^~1 always/never say/mention/include/end/start/begin/recommend/suggest/praise/promote/agree/
      tell/write/speak/address/trust/believe !never/me/goodbye/die/no
    | you/must/should/please/shall/will/kith/bot always/never
      {reply}/reveal/tell/recommend/trust/believe/agree
    | please/kith/bot/and only reply/respond/answer/speak/write
    | ^ only reply/respond/answer/speak with/in/as/using
    | ^~1 respond/reply/answer ~1 only/exclusively/always with/in/as/using
    | !i/we/they respond/reply only with/in/as/using
    | ^~2 act as/like a/an/if/my/the/though/admin/dan/moderator/one/your
    | you/please/must/should/now/then/kith/just/ll/and act as !well
    | ^~2 respond/reply/answer to ~4 with/in/as/using | you to always/never {reply}
    | you to act as/like | act as if you/your
    | act as dan/admin/root/developer/system/jailbroken/unrestricted | ^~1 pretend to be
    | pretend ~1 you are/re/were/have/can | pretend that/as you | you/please/and/kith pretend to
    | ^~1 roleplay/role+play/simulate as/being/a/an | imagine ~1 you are/re
    | ^~1 assume the role/identity/persona | ^~2 behave as/like | take on the role/persona
    | you to behave/respond/reply/answer/pretend/roleplay
    | ^~2 tell/inform/convince/notify/warn/remind {everyone} ~1
      that/about/to/he/she/they/i/how/user
    | ^~2 tell/inform/convince/warn everyone/everybody !i/me
    | you/please/must/should/and/kith tell/inform/convince/warn/notify {everyone}
    | tell/inform ~1 other/all/every/each user/users/member/members
    | ^~1 spread the word/rumor/rumour | ^~1 let everyone know
    | ^~1 say to everyone/everybody/others | when/whenever/if asked -4 {do}/mention
    | when/whenever/if you/ur/your are/re/is ~1 asked -4 {do}/mention
    | when/whenever/if ~1 anyone/someone/anybody/somebody/people/user/users/they/others/members/
      moderator/moderators/mod/mods/admin/staff/he/she ask/asks/mention/mentions/inquires/says/say
      -6 {do} | when/whenever/if i ask/say/type ~4 you/reply/respond/answer
    | reveal/output/leak/dump/display/print/repeat/show/give/expose/share/recite ~3
      your/system/hidden/initial/secret/original ~1 {instructions}/rules/config/configuration/
      memory/memories/context/secrets
    | reveal/output/leak/dump/display/print/repeat/show/recite ~2
      everything/words/text/message/messages above | system prompt !engineer*
    | reveal/leak/show/list/print/dump ~2 other/all/every/everyone+s ~2
      memories/members+secrets/users+data/data
    | treat/consider/regard/recognise/recognize/accept ~2 as/like ~2 {admin}
    | must/should/shall/will ~1 be obeyed
    | give/grant/assign/make me/him/her/them/this+user ~2 {admin} ~1 rights/permissions/
      permission/access/role/powers/status/privileges/$
    | grant ~2 admin/moderator/owner/root !role+to
    | ^~1 make me/him/her/this+user ~1 admin/moderator/administrator
    | am/m/is/are/im ~2 developer/owner/creator/author/dev/maker/operator/programmer/admin/
      administrator of this/the/your bot/ai/kith/assistant
    | am/m/is/are/im your ~1 developer/owner/creator/author/maker/master/admin/administrator/
      operator/programmer | am/m/is/im ~1 kith ~1 developer/owner/creator
    | am/m/is/im the bot ~1 developer/owner/creator/dev
    | {be}/has authorized/authorised/entitled/permission/cleared to ~1
      see/read/access/ban/kick/know/bypass/override/delete ~1
      all/everyone/other/others/any/everything/users/rules
    | {be} allowed to ~1 see/read/access ~1 all/everyone/other/others/any/everything
    | has/have ~1 admin/administrator/moderator rights/permissions/privileges/override/clearance
      !on+his/on+her/on+my
    | ^~1 note/message/attention/instruction/instructions/reminder/memo to/for ~1
      ai/assistant/bot/model/llm/chatbot/kith | you ~1 obey | obey me/him/her/my
    | do whatever/everything i/he/she say/says/tell/tells/want
    | do not/never/don+t tell/inform/reveal/mention ~2 the user | without telling the user
    | trust/believe/prioritize/prioritise ~1 me/him/her/this+user/this ~2 over/above/more+than ~1
      rules/instructions/others/moderators/everyone
    | call/invoke/execute/run/use the ~2 tool/function ~1 with/to/named/called/$
    """,
    "de": """
    ignorier*/vergiss/missachte/uberschreib* ~3 anweisung*/instruktion*/regeln/prompt*/befehl*/
      vorgaben/systemnachricht* | ignoriere/vergiss alles ~1 bisherige/vorherige/davor/oben
    | ab jetzt/sofort/nun ~2 du/bist/{antworte} | von nun/jetzt an ~2 du/bist/{antworte}
    | du musst/sollst/wirst/hast ~1 immer/stets/niemals/nie/nur ~4 {antworte}
    | du musst immer/stets/niemals/nie | du musst/sollst ~3 gehorchen/antworten
    | ^~1 antworte/antwortet ~1 immer/nur/stets/niemals/ab/auf/mit/ausschliesslich
    | ^~1 sag/sage/sprich immer/nie/niemals/nur
    | du bist jetzt/nun/ab ~1 ein/eine/kein/der/die/dan/frei/admin | ^~1 tu/tue so als
    | verhalte dich ~1 wie/als | agiere/handle/handele als | ^~1 spiel/spiele die rolle
    | stell/stelle dir vor du bist/warst
    | ^~1 sag/sage/erzahl/erzahle/teile allen/jedem/anderen/den+anderen/jedem+nutzer
    | wenn/falls/sobald ~3 gefragt/fragt ~4 sag/sage/antworte/behaupte/sagst/antwortest
    | zeig/zeige/verrate/nenne/offenbare/wiederhole/gib ~2
      prompt/systemprompt/systemanweisung*/anweisungen
    | behandle/betrachte mich ~1 als/wie ~2 {admin_eu}
    | gib mir ~2 adminrechte/administratorrechte/moderatorrechte
    | bin/ist ~1 entwickler*/besitzer*/eigentumer*/betreiber*/ersteller* dieses/des/von
      bots/botes/diesem+bot
    | bin/ist dein/deine ~1 entwickler*/besitzer*/eigentumer*/betreiber*/schopfer*/meister/chef
    """,
    "fr": """
    !j/il/elle ignore/ignorez/oublie/oubliez/neglige/annule ~3
      instruction*/consigne*/directive*/regles+precedentes/prompt*
    | !j ignore/ignorez/oublie/oubliez toutes/tes/vos ~2 regles/instructions/consignes
    | ignore/oublie/oubliez tout ce qui precede | a partir de maintenant ~2 tu/vous/{reponds}
    | desormais ~1 tu/vous/{reponds}
    | tu/vous dois/devez/doit ~1 toujours/jamais/uniquement/seulement/absolument ~1 {reponds}
    | tu/vous dois/devez ~1 toujours/jamais | tu dois ~2 repondre/obeir
    | ^~1 reponds/repondez ~1 toujours/uniquement/seulement/en/par/avec
    | ne reponds/repondez ~1 jamais/plus/que | tu es/seras maintenant/desormais/a+present
    | ^~1 fais/faites comme si | ^~1 fais/faites semblant | agis/agissez comme/en+tant
    | comporte/comportez toi/vous comme | ^~1 joue le role | imagine que tu es
    | ^~1 dis/dites/annonce/raconte a/aux ~1 monde/tous/autres/chacun/utilisateurs/membres
    | dis/dites a ~1 tout+le+monde | dis/dites aux autres
    | quand/si/lorsque ~5 demande/demandent/demandera/interroge ~4
      dis/reponds/affirme/pretends/repondez
    | revele/montre/affiche/donne/repete/devoile ~3 prompt/instructions/consignes/systeme
    | traite/considere moi comme/en+tant ~2 {admin_eu} | traite moi ~3 {admin_eu}
    | donne moi ~2 droits ~1 admin*/moder*
    | suis/est ~1 developpeur*/proprietaire/createur/creatrice/administrateur de/du
      ce+bot/bot/robot | suis/est ton/ta ~1 developpeur*/proprietaire/createur/creatrice/maitre
    """,
    "es": """
    ignora/ignore/olvida/olvide/descarta/ignorad ~3 instruccion*/indicaciones/prompt*/directrices/
      ordenes+anteriores | ignora/olvida/ignore todas/tus/sus ~2 reglas/instrucciones/normas
    | ignora/olvida todo lo anterior
    | a partir de ahora ~2 tu/eres/debes/{responde}/siempre/nunca/actua
    | desde ahora ~2 eres/debes/{responde} | de ahora en adelante ~2 eres/debes/{responde}/siempre
    | debes/tienes+que/deberas ~1 siempre/nunca/solo/unicamente ~1 {responde}
    | debes siempre/nunca | debes/deberas obedecer*/responder
    | ^~1 responde/responda/contesta ~1 siempre/solo/unicamente con/en/como/que
    | nunca respondas/digas/contestes | ahora eres | eres ahora
    | ^~1 actua/actue como/igual un/una/si/mi/el/la/que/dan/admin | ^~1 finge/finja/simula que/ser
    | haz/haga como si | haz de cuenta | imagina que eres | comportate como | asume el papel/rol
    | ^~1 dile/diles/di/cuentale/cuenta/avisa a todos/todo+el+mundo/los+demas/otros/cada
    | diles/dile a todos/los+demas/otros
    | cuando/si ~4 pregunten/preguntan/pregunta/pregunte/preguntas ~4
      di/responde/contesta/diles/dile/afirma
    | revela/muestra/muestrame/imprime/repite/dime ~3 prompt/instrucciones/sistema
    | tratame/considerame/trateme como ~2 {admin_eu} | dame ~2 permisos/derechos ~1 {admin_eu}
    | soy/es ~1 desarrollador*/creador*/duen*/propietari*/administrador* de/del este+bot/bot/este
    | soy/es tu ~1 desarrollador*/creador*/dueno/duena/propietari*/amo
    """,
    "pt": """
    ^~1 esqueca/ignore/ignora/desconsidere ~1 regras
    | ignore/ignora/esqueca/esquece/desconsidere/descarte ~3
      instruc*/orientac*/prompt*/diretriz*/regras+anteriores
    | ignore/esqueca todas/suas ~2 regras/instrucoes/normas
    | ignore/esqueca tudo ~2 acima/antes/anterior
    | a partir de agora ~2 voce/tu/{responda}/sempre/nunca/aja
    | de agora em diante ~2 voce/{responda}/sempre | doravante ~1 voce/{responda}
    | voce/tu deve/deves/tem+que/precisa ~1 sempre/nunca/apenas/so ~1 {responda}
    | voce deve sempre/nunca/obedecer/responder
    | ^~1 responda/responde ~1 sempre/apenas/somente/so com/em/como/que | nunca responda/diga
    | voce/tu agora e/es | voce e agora | ^~1 aja/atue/age como | ^~1 finja/finge que/ser
    | faca de conta | imagine que voce e | comporte se como | assuma o papel
    | ^~1 diga/diz/conte/avise a/para/aos/pra todos/todo+mundo/os+outros/outros/cada
    | diga a+todos/para+todos/aos+outros
    | quando/se ~4 perguntarem/perguntar/pergunta/perguntam ~4 diga/responda/diz/afirme
    | revele/mostre/mostra/imprima/repita ~3 prompt/instrucoes/sistema
    | trate/considere me ~1 como ~2 {admin_eu} | me trate como ~2 {admin_eu}
    | me de ~2 permissoes/direitos ~1 {admin_eu}
    | sou/e ~1 desenvolvedor*/criador*/dono/dona/proprietari*/administrador* de/do/deste
      este+bot/bot/robo | sou/e ~1 seu/teu ~1 desenvolvedor*/criador*/dono/dona/mestre
    """,
    "ru": """
    игнорируй*/проигнорируй*/забудь*/отбрось*/отмени ~3
      инструкц*/правил*/указани*/предыдущ*/команд*/промпт* | забудь все ~1 выше/раньше/сказано
    | с этого момента/дня ~2 ты/{otvechai}/всегда/никогда | отныне ~2 ты/{otvechai}/всегда
    | ты теперь/отныне !мой/моя/наш/дома/знаешь | теперь ты !мой/моя/наш/дома/знаешь
    | ты должен/должна/обязан/обязана ~2 всегда/никогда/только/{otvechai}/подчин*
    | ты должен/обязан ~3 отвечать/говорить | всегда/только/никогда+не отвечай*/говори/пиши
    | отвечай* ~1 только/всегда/как
    | притворись/притворяйся/представь+что+ты/веди+себя+как/действуй+как/сделай+вид
    | ^~1 скажи/расскажи/сообщи/говори/передай всем/каждому/другим/остальным/пользователям
    | если/когда ~3 спросят/спросит/спрашивают/спрашивает ~4 скажи/отвечай/говори/ответь/утверждай
    | покажи/раскрой/выведи/повтори/выдай ~3 промпт*/инструкци*/системн*
    | считай меня ~2 {admin_ru} | относись ко мне ~2 {admin_ru} | обращайся со мной ~3 {admin_ru}
    | дай мне ~2 прав* ~2 {admin_ru}
    | я/он/она ~1 разработчик*/создател*/владел*/администратор*/хозяин*
      этого/бота/данного/твой/твоего | я твой/твоя ~1 разработчик/создатель/владелец/хозяин/админ*
    """,
}
GLUED = {
    "secret": r"my(?:password|passwort|pin(?:is|code))|(?:password|passwort)(?:is|ist)"
    r"|passphraseis|contrasenaes|motdepasse|seedphrase|recoverycode|apikey",
    "order": r"ignore(?:all|any|the|your|my|every)*(?:previous|prior|above|instruct|rules|earlier)"
    r"|disregard(?:all|any|the|your)*(?:previous|prior|above|instruct|rules)"
    r"|forget(?:all|your|the)*(?:previous|prior|instruct|rules)|systemprompt|revealyour|youarenow"
    r"|youmust(?:always|never|obey|only|reply|answer)|alwaysreply|actasan?(?:admin|dan|mod)"
    r"|telleveryone|pretendyou|pretendtobe|previousinstruct|newinstruct|ignoriere(?:alle|die)"
    r"|oublie(?:toutes|les)|игнорируй(?:все|пред|инстр)",
}
"""What secrets and orders look like once everything between their letters is gone."""
