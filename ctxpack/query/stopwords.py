"""Words that say nothing about where in a repository something is."""

from __future__ import annotations

_ENGLISH = """
a about above actually after again against ago all almost along already also although always am among an and another
any anybody anyhow anyone anything anyway apparently are aren around as aside at away b back basically be became
because become becomes been before being below besides between both but by c came can cannot cause causes certain
certainly clearly come comes could couldn currently d definitely despite did didn do does doesn doing don done down
due during e each easily either else elsewhere enough especially etc even ever every everyone everything everywhere
exactly except f few first following for former from further g give given gives go goes going gone got h had hadn
happen happened happening happens hardly has hasn have haven having he hello hence her here hers herself hi him
himself his how however i ie if in indeed inside instead into is isn it its itself j just k keep keeps kind know known
l last later least less let lets like likely ll look looked looking looks lot m made mainly make makes making many may
maybe me mean means meant mere merely might mine more moreover most mostly much must my myself n namely near nearly
need needed needs neither never nevertheless next no nobody none nor normally not nothing now nowhere o obviously of
off often oh ok okay on once one ones only onto or other others otherwise ought our ours ourselves out over own p
particular per perhaps please plus possible possibly presumably pretty probably properly put q quite r rather re
really regarding s said same saw say saying says second see seeing seem seemed seems seen self several shall she
should shouldn simply since so some somebody somehow someone something sometimes somewhat somewhere soon still such
sure t take taken tell than thank thanks that the their theirs them themselves then there therefore these they thing
things think this those though through throughout thus to together too took toward towards tried tries truly try
trying twice two u under unfortunately unless unlike until unto up upon us use used useful uses using usually v various
ve very via w want wanted wants was wasn way we well went were weren what whatever when whenever where whereas
wherever whether which while who whoever whole whom whose why will with within without won would wouldn x y yes yet
you your yours yourself z able across add appear appears e.g eg i.e vs
"""

_QUESTION = """
how what where when why which who whose does do is are work works working worked implementation implement implemented
implements logic code handled handles handling happen happens explain show find responsible located place places
"""

_TEMPLATE = """
description steps step reproduce reproducing reproduced reproduction reproducible expected actual expect expects
behavior behaviour behaviors version versions please issue issues bug bugs problem problems currently observed minimal
example examples snippet prerequisites searched regression suggest suggested traceback
"""

_RUSSIAN = """
а без более бы был была были было быть в вам вас ваш весь во вот все всего всех всё вы где да даже для до его ее если
есть еще ещё же за здесь и из или им иначе их к как какая какие какой ко когда который которая которое которые которых
кто ли либо лишь между меня мне много может можно мой мы на над надо нам нас наш не него нее нет неё ни них но ну
нужно о об обо один однако он она они оно от по под пожалуйста пока после потом потому почему при про просто раз с
сам сама сами себя сейчас со спасибо так также такая такие такое такой там те тем то тогда того тоже той только том
тот ту тут ты у уже хотя чего чей чем через что чтобы чьи эта эти это этого этой этом этот эту я
"""

_RUSSIAN_QUESTION = """
как что где когда почему зачем какой какая какие кто куда откуда работает работают работа делает делают происходит
устроен устроена устроено устроены реализован реализована реализовано реализация логика код объясни покажи найди
отвечает находится хочу нужно сделай сделать описание шаги воспроизвести воспроизведение ожидаемый ожидаемое
ожидалось фактический фактическое поведение проблема проблемы баг
"""

LIGHT_WORDS = frozenset(_TEMPLATE.split())
"""Issue-template words: noise in an issue, yet a title of two words may be about nothing else."""

QUESTION_WORDS = frozenset(_QUESTION.split())
"""Words of English questions that name nothing."""

ENGLISH = frozenset(_ENGLISH.split()) | QUESTION_WORDS
RUSSIAN = frozenset(_RUSSIAN.split()) | frozenset(_RUSSIAN_QUESTION.split())

STOPWORDS = ENGLISH | RUSSIAN | LIGHT_WORDS
"""Everything above, lower-case. Whether the light words count is the caller's choice."""
