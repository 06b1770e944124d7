"""Words for what opens an account, reaches a person, or leads to their door. Always refused."""

SECRET = {
    "en": """
    password* !manager/managers/game/generator/generators/hashing/cracking/strength
    | pass+word/passphrase*/passcode* !manager | {my}/the/a/is pwd | pwd !command
    | pin is/was/code/number/codes | pin ~4 #4 | {my} pin $ | {my} ~1 pin {be}
    | 2fa/two+factor/mfa/authenticator/authentication/verification/one+time/backup/recovery/reset/
      otp ~1 code/codes/key/keys/secret | backup/recovery/emergency code/codes | otp is/was
    | recovery/seed/secret/mnemonic/wallet phrase/words/seed | wallet seed | seed phrase*
    | api key/keys/token/tokens/secret | apikey*
    | secret/private/access/encryption/ssh/license/master key/keys
      !card/cards/of/item/items/skill*
    | access/bot/auth/authentication/bearer/session/refresh/personal+access/discord token/tokens
    | client secret | security answer/question/code ~2 {be} | card number ~2 #
    | credit/debit card ~3 #3 | cvv/cvc/cvv2 ~1 # | login {be} | account login/logins
    | login details/data/credentials/info
    | !error/exit/status/source/postal/zip/area/country/promo/discount/friend/invite/creator/
      lobby/room/dress code/combination/combo is/was/: #3
    | code/combination/combo/pin for/to/of ~4 is/was/: #3 | logs/log in with ~2 as/and ~1 password
    | pw !is+fine/up | {my} ~1 credentials | social+security number | ssn ~3 # | {my} ssn
    | passport/tax/insurance/licence/license/identity/national+id number/no ~2 #
    | bank+account number/no | account number ~2 #3
    | door/gate/alarm/safe/lock/locker/garage/bike+lock code/combination ~2 #
    | unlock code/pattern | combination to ~2 safe/lock/locker
    """,
    "de": """
    passwort*/kennwort*/losungswort/zugangswort !manager | passwor* ist
    | geheimzahl*/pin+nummer/pinnummer/pincode | {mein} ~1 pin ist/lautet | pin lautet
    | wiederherstellungscode*/wiederherstellungsschlussel/sicherheitscode*/bestatigungscode*/
      zugangscode* | backup+codes/backupcode*/turcode/zugangsdaten/anmeldedaten/kontonummer
    | api schlussel | geheimer schlussel | privater schlussel | seed phrase | kreditkarte* ~3 #3
    | sozialversicherungsnummer | steuer id | zugangstoken
    """,
    "fr": """
    mot/mots de/d passe | code ~2 carte ~4 #3 | phrase secrete/de+recuperation
    | code pin/secret/confidentiel
    | code/codes de recuperation/secours/verification/securite/confirmation/connexion
    | cle/cles api/secrete/privee/d+acces | jeton/jetons d acces | identifiants de connexion
    | numero de securite+sociale/carte+bancaire/compte | code de ~2 porte/immeuble/alarme
    """,
    "es": """
    contrasena* | palabra de paso | {mi} clave {soy}
    | clave secreta/privada/de+acceso/api/del+wifi | claves de acceso
    | codigo/codigos pin/secreto/de+recuperacion/de+verificacion/de+seguridad/de+respaldo
    | {mi} pin es | frase semilla/de+recuperacion/secreta | token de acceso
    | numero de tarjeta/cuenta | numero de seguridad+social/pasaporte ~2 #
    """,
    "pt": """
    senha/senhas !de+atendimento | palavra/palavras passe | {meu} pin ~3 e
    | codigo/codigos pin/secreto/de+recuperacao/de+verificacao/de+seguranca/de+backup/de+acesso
    | chave api/privada/secreta/de+acesso | chave pix | frase semente/de+recuperacao/secreta
    | token de acesso | numero do cartao/da+conta | cpf ~2 #3
    """,
    "ru": """
    парол* | пинкод*/пин+код*
    | код* восстановления/подтверждения/безопасности/доступа/двухфакторной
    | резервн*/одноразов* код* | секретн*/приватн*/закрыт* ключ* | апи/api ключ*
    | сид/мнемоническ*/seed фраз* | кодовое слово | пин #4 | токен доступа/бота
    | номер карты/счета/паспорта | снилс ~2 # | инн ~2 #3 | код от домофона/подъезда/сейфа/двери
    """,
}
CONTACT = {
    "en": """
    {my} ~1 phone/mobile/cell/whatsapp/telegram number ~2 # | reach/text/call/whatsapp me at/on #3
    | at gmail/hotmail/outlook+com/protonmail/icloud/googlemail/yahoo+com
    | at ~1 dot com/net/org/de/fr/es/pt/br/ru/uk/io/me/gg/eu
    | at ~3 dot com/net/org/de/fr/es/pt/br/ru/uk/io/eu $
    """,
    "de": """
    {mein} ~1 handynummer/telefonnummer ~2 #
    | at/att/bei/klammeraffe ~2 punkt com/de/net/org/at/ch
    """,
    "fr": "{mon} numero ~3 #2 | arobase/arobas ~3 point com/fr/net/org/be/ch",
    "es": "{mi} ~1 numero/telefono/movil ~3 #3 | arroba ~3 punto com/es/net/org/mx/ar",
    "pt": """
    {meu} ~1 telefone/celular/numero/whatsapp/telemovel ~3 #3 | arroba ~3 ponto com/pt/br/net/org
    """,
    "ru": "{moj} ~1 номер/телефон ~3 #3 | собака ~2 точка ру/ком/нет/ru/com/org | точка ру/ком $",
}

ADDRESS = {
    "en": """
    home address | {my}/the postal/mailing/street/delivery/shipping address | {my} address {be}
    | zip/postal/post code ~2 #3 | zipcode/postcode ~2 #3 | po/p+o box #
    | # !minutes/hours/of/in/on/the/by/times ~2 street/avenue/boulevard/blvd ~2
      apt/apartment/floor/unit
    """,
    "de": """
    {mein} adresse/anschrift/hausanschrift/wohnadresse ist/lautet | postleitzahl ~2 #3 | plz #3
    """,
    "fr": "{mon} adresse ~1 est !e/email/mail/ip | code postal ~2 #3 | boite postale #",
    "es": "{mi} direccion ~1 es !ip/de+correo | codigo postal ~2 #3 | apartado postal/de+correos #",
    "pt": "{meu} endereco ~1 e !ip/de+email | cep ~2 #3 | codigo postal ~2 #3 | caixa postal #",
    "ru": """
    {moj} ~1 адрес | адрес ~2 улица/ул/дом/проспект | домашний адрес | почтовый индекс ~2 #3
    """,
}
