"""Words about body and mind: health (diagnoses, medicines, therapy), sexuality and gender history.

Ordinary, and kept: tiredness, colds, headaches, sprains, food allergies, diets, sport, glasses, and
work in medicine. Pronouns are kept too: they say how to address somebody.
"""

HEALTH = {
    "en": """
    {be}/got/been/recently/newly/formally/officially ~1 diagnosed !the/a/problem
    | diagnosed with/as/on+the | {my}/a/the diagnosis {be}/of | diagnosis of
    | !great depression !era
    | {have}/with/from/suffers/suffer/fights/battles/battling/against ~2 depression !era
    | clinically/severely/chronically depressed | manic/postpartum/postnatal/clinical depression
    | {have}/with/suffers/suffer/social/health/severe/crippling/my/their ~2 anxiety
    | anxiety disorder*/attack*/med*/issues/problems | panic attack*/disorder
    | bipolar !transistor*
    | schizophreni*/schizoaffective/bulimi*/anorexi*/orthorexi*/agoraphobi*/ptsd/psychosis/
      psychotic/dissociative | {have}/{be}/with/my/their ~2 ocd/adhd/add+disorder/asd
    | adhd/ocd med*/medication/diagnosis/brain
    | autism/autistic/asperger*/neurodivergent/tourette*/dyslexi*/dislexi*/dyspraxi*/dyscalculi*
    | borderline personality
    | personality/eating/mood/mental/genetic/sleep/attention/substance+use/seizure/autoimmune/
      blood disorder*/disease* | suicid* !squad/silence
    | kill/killing/killed myself/himself/herself/themselves | self harm*
    | cuts/cut/cutting/hurting herself/himself/themselves/myself | want/wants to die $
    | {have}/survived/survives/beat/beats/beating/battling/battles/fighting/with/from/my/terminal
      ~2 cancer !sign/zodiac/season/rising/moon
    | breast/lung/skin/prostate/brain/colon/bone/ovarian/thyroid/blood/cervical/pancreatic/liver
      cancer/tumor/tumour | cancer survivor/patient/diagnosis/treatment
    | leukemia/leukaemia/lymphoma/melanoma/tumor/tumour/tumors/tumours | chemotherapy/radiotherapy
    | on/started/finished/through chemo | diabetes/diabetic/prediabetic | insulin
    | epileps*/epilept* | {have}/from/severe/chronic ~2 asthma | asthmatic | inhaler | hiv
    | {have} aids !for | hepatitis | herpes | chlamydia/gonorrhea/gonorrhoea/syphilis
    | an/{have} std/sti | {have}/suffered ~2 stroke
    | heart attack*/disease/condition/failure/surgery/murmur/transplant/defect/problem*/medication
    | arrhythmia | pacemaker | hypertension | high/low blood pressure | blood type | crohn*
    | ulcerative colitis | irritable bowel | {have} ibs | celiac/coeliac
    | endometriosis/pcos/fibromyalgia/arthritis/osteoporosis/lupus/psoriasis/eczema/anemia/
      anaemia/anemic/thyroid | multiple sclerosis | parkinson s/disease | alzheimer* | dementia
    | migraine/migraines | {have}/with/from/chronic insomnia | sleep apnea/apnoea | long covid
    | {have}/with/caught/for/from ~1 covid | tested positive
    | chronic ~1 pain/illness/fatigue/condition/disease | cystic fibrosis | down syndrome
    | scoliosis | cerebral palsy | paralyzed/paralysed/paraplegic/quadriplegic/amputee
    | wheelchair | {be} ~1 deaf !to/spot
    | {be} ~1 blind !date/dating/test/to/spot/in/from/luck/box
    | legally/partially/completely/colour/color blind !date/test | hearing aid/aids/loss/impaired
    | hard of hearing | visually/vision impaired
    | am/m/physically/mentally/severely/partially/permanently/legally disabled
    | {have} ~2 disability/disabilities | disability benefit*/pension/check
    | learning/physical/mental/intellectual/developmental disability/disabilities
    | antidepress*/antipsychotic*/ssri*/xanax/prozac/zoloft/sertraline/fluoxetine/lexapro/
      adderall/ritalin/vyvanse/concerta/methadone/ozempic/metformin/benzodiazepin*
    | on/takes/take/taking/took/started/needs/off/{my} ~2 meds/medication/medications/antibiotics/
      mood+stabilizers/beta+blockers | {be}/been/got/gets ~1 prescribed !burn | birth control
    | contraceptive*
    | hormone/speech/cognitive/behavioral/exposure/group/couples/marriage/family/radiation/psycho
      therapy | psychotherap* !student
    | {my} therapist/psychiatrist/psychologist/shrink/counselor/counsellor/gynecologist/
      oncologist/cardiologist/neurologist/rehab
    | see/sees/seeing/saw/visit/visits/visiting/started+with ~2 therapist/psychiatrist/
      psychologist/counselor/counsellor/oncologist/neurologist/cardiologist
    | in/to/into/started/starting/starts/attend/attends/attending/had/having/tried/trying/needs
      therapy !dog* | therapy/therapist/psychiatrist session*/appointment*
    | {have} ~1 therapist/psychiatrist | lost/losing the/a/her/their/my/our baby
    | psychiatric/mental hospital/ward/clinic/institution
    | bad/poor/declining/failing mental health | mental illness/breakdown/problems | mentally ill
    | mental health issue*/problem*/struggle*/condition*/crisis/diagnosis/journey
    | nervous breakdown | terminal/serious/mental illness | terminally ill
    | pregnant/pregnancy/miscarr*/stillb* | expecting ~1 baby/child/twins | {have}/had/an abortion
    | ivf | fertility treatment*/clinic | trying for ~1 baby/child | trying to conceive
    | infertil* | postpartum | menopaus* | premenstrual | {my} period cramps
    | recovering/functioning alcoholic/addict | {be}/was an ~1 alcoholic/addict
    | alcoholism/drug+addiction
    | addicted/addiction to ~2 {drugs}/opioids/alcohol/painkillers/pills/gambling/cigarettes/
      nicotine/porn | drug/alcohol/opioid/gambling/porn addiction/problem/abuse
    | {be}/got/getting/stay/been ~1 sober | in/to/from/out+of rehab | overdos*
    | alcoholics anonymous | aa/na meeting/meetings | {have} ~1 relaps* | hospitali*
    | {be}/been/went/rushed/taken ~1 in/into/to ~1 hospital/icu !job/work/as/for+work/shift
    | {have}/having/had/need/needs/undergo/undergoing/underwent/after/before/from/for/awaiting ~3
      surgery !room/simulator | seizure/seizures | organ/kidney/liver/heart/bone+marrow transplant
    | dialysis | {be} ~1 vaccinated | medical/health/heart/chronic/skin/neurological condition
    | health issue/issues/problem/problems/scare | medical record*/history
    | {have} ~1 concussion/pneumonia/tuberculosis/sepsis/hernia/ulcer/ulcers/kidney+stones/
      scarlet+fever
    """,
    "de": """
    diagnos* ~1 bekommen/erhalten/bekam/lautet/gestellt | diagnostiziert
    | {hat}/an/unter/wegen/mit ~2 depression/depressionen | depressiv*/manisch*/bipolar
    | {hat}/unter/wegen ~2 angststorung*/panikattacken/burnout/angstzustande*
    | panikattacke*/angststorung/zwangsstorung*/essstorung*/schizophren*/magersucht/magersuchtig/
      bulimie | autismus/autist/autistin/autistisch/legasthen*/adhs | suizid*/selbstmord*
    | ritzt sich | krebs ~1 erkrankt/besiegt/diagnose/bekommen/uberlebt | {hat}/an/gegen ~1 krebs
    | brustkrebs/lungenkrebs/hautkrebs/leukamie/tumor/chemotherapie/chemo
    | diabetes/diabetiker*/zuckerkrank | insulin | epilep* | {hat} asthma | asthmatiker* | hiv
    | schlaganfall | herzinfarkt/herzfehler/herzkrank/herzschrittmacher | bluthochdruck
    | rheuma/arthrose/migrane/neurodermitis/schilddrus* | multiple sklerose
    | parkinson/alzheimer/demenz | rollstuhl* | querschnitt*
    | {bin} ~1 taub/blind/gehorlos/schwerhorig !date/fur
    | {bin}/ist/habe ~1 behindert/schwerbehindert/behinderung/schwerbehindertenausweis
    | antidepress*/psychopharmaka
    | nimmt/nehme/braucht/brauche ~2 medikament*/tabletten/antibiotik*
    | {mein} ~1 therapeut/therapeutin/psychiater/psychiaterin/psychologe/psychologin
    | therapie ~1 machen/gemacht/begonnen/angefangen
    | in/zur ~1 therapie/psychotherapie/reha/klinik/psychiatrie | psychotherap*
    | psychisch krank/labil/erkrankt | schwanger*/fehlgeburt/abgetrieben/abtreibung | wechseljahre
    | alkoholiker*/alkoholsuchtig/drogensuchtig/spielsuchtig/trockener+alkoholiker
    | krankenhaus ~1 liege/liegt/war/muss/eingeliefert | liege/liegt/muss ~2 krankenhaus
    | wurde/werde/wird ~2 operiert | chronisch krank | chronische ~1 schmerzen/krankheit
    """,
    "fr": """
    diagnostique/diagnostiquee/diagnostiques avec/comme/d/autiste/un/une | diagnostic de !panne
    | {ai}/de/contre/en une/la? depression | depressif/depressive/bipolaire/schizophren*
    | {ai}/des crise*/crises d+angoisse
    | trouble* anxieux/bipolaire*/alimentaire*/obsessionnel*/deficit*
    | autiste/autisme/asperger/dyslexi*/tdah | suicid* !squad/silence | scarifi*
    | {ai}/contre/d un/son/le cancer !ascendant | cancer du/de/des
    | tumeur/leucemie/chimiotherapie/chimio | diabete/diabetique | insuline | epilep*
    | {ai} ~1 asthme | asthmatique | vih/seropositi* | crise cardiaque | avc $ | hypertension
    | sclerose en plaques | parkinson/alzheimer | migraine/migraines | endometriose
    | fauteuil roulant
    | {suis} ~1 sourd/sourde/aveugle/malvoyant/malvoyante/malentendant*/handicape/handicapee
    | handicap* moteur/mental/physique | antidepresseur*/anxiolytique*/antibiotique*
    | prend/prends ~2 medicament*/traitement | {mon} ~1 psy/psychiatre/psychologue/therapeute
    | psychotherapie | en/suit/suis+une therapie
    | voit/vois/consulte ~2 psy/psychiatre/psychologue | enceinte | grossesse | fausse couche
    | avorte/avortement/ivg | alcoolique* | toxicoman* | hospitalis* | cure de desintoxication
    | {suis}/ete/fait/faire ~1 opere/operee | maladie chronique/mentale/grave/rare/auto+immune
    | sante mentale
    """,
    "es": """
    diagnosticaron/diagnosticado/diagnosticada/diagnosticados !el/la/un | diagnostico de
    | {tengo}/con/de/contra/por ~2 depresion | depresiv*/bipolar/esquizofren*
    | {tengo}/con/de ~1 ansiedad | ataque*/crisis de panico/ansiedad | trastorno*
    | autista/autismo/asperger/dislexi*/tdah | suicid* !squad/silence/escuadron | autolesion*
    | {tengo}/contra/de/vencio/supero ~2 cancer !ascendente | tumor/leucemia/quimioterapia/quimio
    | diabetes/diabetic* | insulina | epilep* | {tengo} ~1 asma | asmatic* | vih/seropositiv*
    | infarto | hipertension/tension+alta/presion+alta | esclerosis multiple | parkinson/alzheimer
    | migrana* | endometriosis | silla de ruedas
    | {soy} ~1 sordo/sorda/ciego/ciega/discapacitad*/minusvalid* | discapacidad
    | antidepresiv*/ansiolitic*/antibiotic*
    | tomo/toma/tomando ~2 medicament*/medicacion/pastillas
    | {mi} ~1 psiquiatra/psicologo/psicologa/terapeuta | en/a/voy+a/va+a terapia | psicoterapia
    | embarazad*/embarazo | aborto/aborte/aborto | alcoholico/alcoholica !anonim* | drogadict*
    | hospitaliz*/hospitalizad* | enfermedad cronica/mental/grave/rara | salud mental
    | me/lo/la operaron
    """,
    "pt": """
    diagnosticaram/diagnosticado/diagnosticada | diagnostico de
    | {tenho}/com/de/contra ~2 depressao | depressiv*/bipolar/esquizofren*
    | {tenho}/com/de ~1 ansiedade | ataque*/crise*/crises de panico/ansiedade | transtorno*
    | autista/autismo/asperger/dislexi*/tdah | suicid* !squad/silence/esquadrao | automutil*
    | {tenho}/contra/de/venceu ~2 cancer !ascendente | tumor/leucemia/quimioterapia/quimio
    | diabetes/diabetic* | insulina | epilep* | {tenho} ~1 asma | asmatic* | hiv/soropositiv*
    | infarto/enfarte | hipertensao/pressao+alta | esclerose multipla | parkinson/alzheimer
    | enxaqueca* | endometriose | cadeira de rodas
    | {sou}/sou/ficou ~1 surdo/surda/cego/cega/deficiente | deficiencia
    | antidepressiv*/ansiolitic*/antibiotic* | tomo/toma/tomando ~2 remedio*/medicament*/medicacao
    | {meu} ~1 psiquiatra/psicologo/psicologa/terapeuta | faz/faco/fazer/em/na terapia
    | psicoterapia | gravida/gravidez/gestante | aborto/abortou/abortei
    | alcoolatra/dependente+quimico | hospitaliz*/internad* | doenca cronica/mental/grave/rara
    | saude mental | fui/foi operad*
    """,
    "ru": """
    диагноз* | диагностир* | депресси* | {she}/у ~3 биполярн*/шизофрен* | биполярн* расстройств*
    | паническ* атак* | тревожн*/пограничн*/обсессивн* расстройств* | аутизм*/аутист* | сдвг
    | дислекси* | суицид*/самоубийств* | анорекси*/булими*
    | рак ~1 груди/легких/кожи/мозга/крови/стадии | болеет/болел/болею/болела раком | онколог*
    | опухол* | химиотерапи* | диабет* | инсулин* | эпилепси* | астма/астмой/астму/астматик | вич
    | инсульт* | инфаркт* | гипертони* | мигрен* | рассеянн* склероз*
    | деменци*/альцгеймер*/паркинсон* | инвалид* !кресл* | инвалидн*
    | глухой/глухая/слепой/слепая $ | антидепрессант*/антибиотик*/транквилизатор*
    | пьет/пью/принимаю/принимает ~2 таблетк*/лекарств*
    | мой/моя/моему/к/у психотерапевт*/психиатр*/психолог* | психотерапи* | беременн* | выкидыш*
    | аборт* | алкоголик*/алкоголизм*/наркоман*/наркозависим*
    | лежит/лежал/лежала/лежу/попал/попала/выписали ~1 в/из больниц*
    | хроническ* болезн*/заболеван* | психическ* здоров*/заболеван*/расстройств*
    """,
}

SEXUALITY = {
    "en": """
    lesbian*/bisexual*/pansexual*/asexual*/demisexual*/homosexual*/heterosexual*/transgender*/
      transsexual*/nonbinary/genderqueer/genderfluid/agender/cisgender*/intersex
    | non binary !tree/search/file/data | lgbt* | lgbtq* | {be}/as ~2 gay !bar+owner
    | {be}/as ~1 queer !eye | {be}/as ~1 bi $
    | {be} ~1 bi !weekly/monthly/lingual/annual/yearly/directional/directionally/annually/plane
    | {be}/as ~1 trans !am/siberian/atlantic/pacific/europe/fat/mountain
    | trans man/men/woman/women/guy/girl/kid/person/people/rights/community/flag/character+like
    | gay/queer man/men/woman/women/guy/bar/bars/club/clubs/couple/friend/friends/community/
      rights/marriage/pride/son/daughter/people/person | {be} ~1 straight $
    | am/m/is straight !forward/up/a/as/outta/from/to/out/edge/a+s/into/after/at/on/in/with/about/
      down/through/away/back/ahead/across/talking
    | {be}/identify/identifies/identified as ~2 straight/hetero/homo/ace+and/aro/aromantic
    | aromantic | {be} ~1 closeted | in the closet ~2 about/still
    | came/come/comes/coming/came+back out as/to/of+the+closet ~1
    | coming out story/process/journey | pride parade/march/festival/fest/month/event
    | drag queen !show | sexual*
    | gender transition/identity/dysphoria/affirming/reassignment/confirmation/journey/fluid
    | {my} ~1 transition !to/into+a+new/year/team
    | transitioned ~1 from/to ~1 male/female/man/woman | hormone replacement
    | {be}/on/started/starting/taking ~1 hrt/testosterone/estrogen/oestrogen/puberty+blockers
    | top/bottom surgery | deadname* | born ~2 male/female $ | born ~1 a boy/girl !in
    | assigned ~2 at birth | amab/afab/mtf/ftm | crossdress* | cross dress*
    | {be}/got ~1 attracted to ~1 men/women/guys/girls/boys/males/females/both
    | dates/dating/into ~1 men/women/guys/girls !clothing/fashion
    | sex life/drive/worker/work/toy/toys/tape/addict/partner/partners/reassignment/change
    | {have}/having/had/love/loves/like/likes/enjoys/about/casual/anal/oral/premarital/for ~1 sex
      !and/pistols/education | one night stand*
    | {be} ~2 virgin !media/atlantic/galactic/olive/mojito/islands | virginity
    | porn/porno/pornography/hentai/onlyfans/camgirl | masturbat* | kinky/kinks/fetish*/bdsm
    | polyam*/swinger/threesome/orgasm*/viagra/erectile/nudes/sexting | open relationship
    | slept with !a/the/his+dog/her+cat | hooked/hooking/hooks up with !a/the/my+pc | same sex
    """,
    "de": """
    schwul*/lesbisch/lesbe/bisexuell*/homosexuell*/heterosexuell*/pansexuell/asexuell*/
      transsexuell*/transgender*/nichtbinar/intersexuell/queer | {bin} ~1 hetero/bi/trans $
    | geoutet | {mein} outing | steht/stehe auf manner/frauen/jungs/madchen
    | sexleben/sexuell*/sexualitat/jungfrau+geblieben/pornos/porno/masturbier*
    | geschlechtsangleich*/geschlechtsidentitat | {hat} ~2 sex !pistols/education | affare mit
    """,
    "fr": """
    homosexuel*/bisexuel*/heterosexuel*/pansexuel*/asexuel*/lesbienne*/transgenre*/transsexuel*/
      non+binaire*/intersexe | {suis} ~1 gay/gai/bi/trans/hetero/queer/homo | coming out
    | vie sexuelle | sexuel* | attire/attiree/attirer par les hommes/femmes/garcons/filles
    | changement de sexe/genre | porno/pornographie/masturb* | {suis} ~1 vierge
    """,
    "es": """
    homosexual*/bisexual*/heterosexual*/pansexual*/asexual*/lesbiana*/transgenero*/transexual*/
      no+binari*/intersexual | {soy} ~1 gay/bi/trans/hetero/queer/marica !siberian*
    | salio/salir/sali del closet/armario | vida sexual | sexual*
    | gustan los/las hombres/mujeres/chicos/chicas | cambio de sexo/genero
    | porno/pornografia/masturb* | {soy} ~1 virgen
    """,
    "pt": """
    homossexua*/bissexua*/heterossexua*/pansexua*/assexua*/lesbica*/transgener*/transexua*/
      nao+binari*/travesti | {sou} ~1 gay/bi/trans/hetero/queer/bicha | saiu/sair/sai do armario
    | se assumiu | vida sexual | sexual/sexuais/sexualidade
    | gosta/gosto de homens/mulheres/garotos/garotas !famosas | mudanca de sexo/genero
    | porno/pornografia/masturb* | {sou} virgem
    """,
    "ru": """
    гомосексуал*/бисексуал*/гетеросексуал*/пансексуал*/асексуал*/лесбиянк*/трансгендер*/небинарн*/
      интерсекс* | {she}/я ~1 гей/би/натурал/трансперсона | гей $ | каминг аут | лгбт*
    | сексуальн* | интимн* жизнь/жизни | смена/сменил/сменила/сменить пол
    | порно/порнограф*/мастурб* | нравятся парни/мужчины/девушки/женщины | девственни*
    """,
}
