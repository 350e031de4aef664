# ruff: noqa: RUF001  (Russian letters look like others)
"""Words that say nothing about a topic: articles, pronouns, prepositions, conjunctions, auxiliaries and question words.

Only words of these closed classes. Longer lists, made for search engines, hold words people ask for: the English list
of the package stop-words has computer, course, fire and bill. Words with an apostrophe are written as they are cut (l,
don).
"""

from __future__ import annotations

STOP_WORDS = {
    "danish": """
        ad af alle alt anden at blev blive bliver da de dem den denne der deres det dette dig din disse dog du efter
        eller en end er et for fra ham han hans har havde have hende hendes her hos hun hvad hvem hvis hvor hvordan
        i ikke ind jeg jer jo kunne man mange med meget men mig min mine mod ned noget nogle nu når og også om op os
        over på samt sig sin sine sit skal skulle som sådan til ud under var vi vil ville vor være været
    """,
    "dutch": """
        aan al alles als andere ben bij daar dan dat de der deze die dit doch doen door dus een en er ge geen had
        heb hebben heeft hem het hier hij hoe hun iemand iets ik in is ja je kan kon kunnen maar me meer men met mij
        mijn moet na naar niet niets nog nu of om omdat onder ons ook op over reeds te tegen toch toen tot u uit uw
        van veel voor waar want waren was wat werd wezen wie wij wil worden wordt zal ze zelf zich zij zijn zo
        zonder zou
    """,
    "english": """
        a about above after again against all also am an and any are aren as at be because been before being below
        between both but by can cannot could couldn d did didn do does doesn doing don down during each etc ever
        every few for from further had hadn has hasn have haven having he hence her here hers herself him himself
        his how however i if in into is isn it its itself just ll m may me might mine more most must my myself no
        nor not now of off on once only or other others ought our ours ourselves out over own per re s same shall
        shan she should shouldn so some such t than that the their theirs them themselves then there therefore these
        they this those through thus to too under until up upon us ve very via was wasn we were weren what when
        where whether which while who whom whose why will with within without won would wouldn yet you your yours
        yourself yourselves
    """,
    "finnish": """
        ei eivät emme en et ette hän häneen hänelle hänen hänet he heidän heidät heille heitä ja johon joiden joita
        joka jos jossa jota jotka kanssa ketkä kuin kuka kun me meidän meille meitä mihin mikä missä mitä mitkä
        mukaan mutta myös ne niiden niin niitä noin nuo nyt näiden näitä nämä ole olemme olen olet olette oli olivat
        olla on ovat se sekä sen siinä siitä sinä sitä tai te teidän tämä tämän tätä tässä vaan vai vaikka yli
    """,
    "french": """
        a ai ainsi alors au aucun aussi autre aux avait avec avoir c ce ceci cela celle celui ces cet cette ceux
        chaque comme comment d dans de des donc dont du elle elles en encore entre es est et eu eux fait fut il ils
        j je l la le les leur leurs lors lui m ma mais me mes moi moins mon même n ne ni non nos notre nous on ont
        ou où par pas pendant peu plus pour pourquoi qu quand que quel quelle quelles quels qui quoi s sa sans se
        sera ses si son sont sous suis sur t ta te tes toi ton tous tout toute toutes très tu un une vers vos votre
        vous y à été être
    """,
    "german": """
        aber alle allem allen aller alles als also am an ander andere anderen auch auf aus bei beim bin bis bist da
        damit dann das dass dasselbe dein deine dem den denn der des dessen dich die dies diese diesem diesen dieser
        dieses dir doch dort du durch ein eine einem einen einer eines er es etwas euch euer für gegen gewesen hab
        habe haben hat hatte hatten hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in indem ins ist
        jede jedem jeden jeder jedes jene jetzt kann kein keine keinem keinen keiner können man manche mein meine
        mich mir mit muss nach nicht nichts noch nun nur ob oder ohne sehr sein seine seinem seinen seiner selbst
        sich sie sind so solche soll sollte sondern sonst um und uns unser unsere unter viel vom von vor war waren
        warum was weg weil welche welchem welchen welcher welches wenn wer werde werden wie wieder will wir wird wo
        wollen wurde während würde zu zum zur zwar zwischen über
    """,
    "italian": """
        a ad agli ai al alla alle allo anche avere aveva c che chi ci ciò coi col come con contro cosa così cui d da
        dagli dai dal dalla dalle dallo degli dei del della delle dello di dopo dove e ed era erano essere fra gli
        ha hai hanno ho i il in io l la le lei li lo loro lui ma me mi mia mie miei mio molto ne negli nei nel nella
        nelle nello noi non nostra nostro o ogni per perché più poi quale quali quando quanto quella quelle quelli
        quello questa queste questi questo se sei senza si sia sono sopra sotto stata stato su sua sue sugli sui sul
        sulla sulle sullo suo suoi te ti tra tu tua tuo tutti tutto un una uno vi voi vostra vostro è
    """,
    "norwegian": """
        alle at av bare begge ble bli blir da de deg dem den denne der deres det dette din disse du eller en enn er
        et etter for fordi fra før ha hadde han hans har henne hennes her hos hun hva hvem hver hvilken hvis hvor
        hvordan hvorfor i ikke inn jeg kan kunne man mange med meg meget men mer min mot mye må ned noe noen nå når
        og også om opp oss over på seg selv sin sine sitt skal skulle som så til um under ut uten var ved vi vil
        ville vår være vært å
    """,
    "portuguese": """
        a ainda ao aos aquela aquele aqueles aquilo as assim até com como da das de dela dele deles depois do dos e
        ela elas ele eles em entre era eram essa esse esta estas este estes está estão eu foi foram havia há isso
        isto já la lhe lo mais mas me mesmo meu minha muito na nas nem no nos nossa nosso não nós o os ou para pela
        pelas pelo pelos por porque qual quais quando quanto que quem se sem ser seu seus sobre sua suas são só
        também te tem ter teu teve tinha tu tua um uma você vocês vos à às é
    """,
    "russian": """
        а без более бы был была были было быть в вам вас весь во вот все всего всех вы где да даже для до его ее
        если есть еще же за здесь и из или им их к как ко когда кто ли либо мне может мы на над надо наш не него нее
        нет ни них но ну о об однако он она они оно от очень по под при с со так также такой там те тем то того тоже
        той только том ты у уже хотя чего чей чем что чтобы чье чья эта эти это этого этой этот я
    """,
    "spanish": """
        a al algo algunos ante antes aquel aquella como con contra cual cuando cuanto de del desde donde dos durante
        e el ella ellas ellos en entre era eran es esa ese eso esta estaba estado estar estas este esto estos está
        están fue fueron ha haber había han hasta hay la las le les lo los me mi mis mucho muy más ni no nos
        nosotros nuestra nuestro o os otra otro otros para pero poco por porque que quien quienes qué se sea ser si
        sido sin sobre son su sus sí también tan tanto te tiene todo todos tu tus tú un una uno unos usted y ya yo
        él
    """,
    "swedish": """
        alla allt att av blev bli blir blivit de dem den denna deras dess dessa det detta dig din dina ditt du där
        då efter ej eller en er era ett från för ha hade han hans har henne hennes hon honom hur här i icke ingen
        inom inte jag ju kan kunde man med mellan men mer mig min mina mitt mot mycket ni nu när någon något några
        och om oss på samma sedan sig sin sina sitta själv skulle som så sådan till under upp ut utan vad var vara
        varför varit varje vars vem vi vid vilka vilken vilket vår våra än är åt över
    """,
}  # fmt: skip
"""By the name of the language; one text each, because as lists they would fill the screen with quotation marks."""

CODES = {
    "da": "danish", "de": "german", "en": "english", "es": "spanish", "fi": "finnish", "fr": "french", "it": "italian",
    "nb": "norwegian", "nl": "dutch", "no": "norwegian", "pt": "portuguese", "ru": "russian", "sv": "swedish",
}  # fmt: skip
