"""Exact edges by game, wager and options.  Written by `python -m tools.edges_table`; do not edit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from controller.odds.kept_edge import KeptEdge, KeptKey

KEPT: Final[Mapping[KeptKey, KeptEdge]] = {
    ("casino-war", "war", "decks=4"): KeptEdge("6730/291387", 1, 2, 2),
    ("casino-war", "war", "decks=5"): KeptEdge("66462/2862209", 1, 2, 2),
    ("casino-war", "war", "decks=6"): KeptEdge("23138/993023", 1, 2, 2),
    ("casino-war", "war", "decks=7"): KeptEdge("184662/7906261", 1, 2, 2),
    ("casino-war", "war", "decks=8"): KeptEdge("276706/11826255", 1, 2, 2),
    ("casino-war", "tie", "decks=4"): KeptEdge("14/69", 10, 1),
    ("casino-war", "tie", "decks=5"): KeptEdge("50/259", 10, 1),
    ("casino-war", "tie", "decks=6"): KeptEdge("58/311", 10, 1),
    ("casino-war", "tie", "decks=7"): KeptEdge("2/11", 10, 1),
    ("casino-war", "tie", "decks=8"): KeptEdge("74/415", 10, 1),
    ("three-card-poker", "ante", "ante-bonus=A"): KeptEdge("686689/20358520", 5, 1),
    ("three-card-poker", "ante", "ante-bonus=B"): KeptEdge("3672957/101792600", 5, 1),
    ("three-card-poker", "ante", "ante-bonus=C"): KeptEdge("778809/20358520", 4, 1),
    ("three-card-poker", "pair-plus", "pair-plus=A"): KeptEdge("128/5525", 40, 1),
    ("three-card-poker", "pair-plus", "pair-plus=B"): KeptEdge("193/5525", 40, 1),
    ("three-card-poker", "pair-plus", "pair-plus=C"): KeptEdge("308/5525", 40, 1),
    ("three-card-poker", "pair-plus", "pair-plus=D"): KeptEdge("402/5525", 40, 1),
    ("three-card-poker", "pair-plus", "pair-plus=E"): KeptEdge("253/5525", 35, 1),
    ("three-card-poker", "pair-plus", "pair-plus=F"): KeptEdge("149/5525", 35, 1),
    ("wsop-bonus-holdem", "ante", "ante-pays=flush"): KeptEdge("19447087313/347672625300", 2, 1),
    ("wsop-bonus-holdem", "ante", "ante-pays=straight"): KeptEdge("578107733/28381438800", 2, 1),
    ("ultimate-texas-holdem-vic", "ante", "preflop=3 flop=2 river=1"): KeptEdge("9740355089/100774674000", 500, 2),
    ("ultimate-texas-holdem-vic", "ante", "preflop=4 flop=2 river=1"): KeptEdge("50643648973/2317817502000", 500, 2),
    ("ultimate-texas-holdem-vic", "ante", "preflop=5 flop=2 river=1"): KeptEdge("-35202856877/632132046000", 500, 2),
    ("ultimate-texas-holdem-vic", "ante", "preflop=6 flop=2 river=1"): KeptEdge("-931271572939/6953452506000", 500, 2),
    ("ultimate-texas-holdem-vic", "ante", "preflop=7 flop=2 river=1"): KeptEdge("-7551714353/35476798500", 500, 2),
    ("ultimate-texas-holdem-vic", "ante", "preflop=8 flop=2 river=1"): KeptEdge("-15382266371/52677670500", 500, 2),
    ("ultimate-texas-holdem-vic", "ante", "preflop=9 flop=2 river=1"): KeptEdge("-2582601722263/6953452506000", 500, 2),
    ("ultimate-texas-holdem-vic", "ante", "preflop=10 flop=2 river=1"): KeptEdge(
        "-3137778703027/6953452506000", 500, 2
    ),
    ("ultimate-texas-holdem-vic", "ante", "preflop=4 flop=3 river=1"): KeptEdge("-2983702423/48625542000", 500, 2),
    ("ultimate-texas-holdem-vic", "ante", "preflop=5 flop=3 river=1"): KeptEdge("-16526451719/126426409200", 500, 2),
    ("ultimate-texas-holdem-vic", "ante", "preflop=6 flop=3 river=1"): KeptEdge("-1425296977289/6953452506000", 500, 2),
    ("ultimate-texas-holdem-vic", "ante", "preflop=7 flop=3 river=1"): KeptEdge("-72496713657/257535278000", 500, 2),
    ("ultimate-texas-holdem-vic", "ante", "preflop=8 flop=3 river=1"): KeptEdge("-146879370467/409026618000", 500, 2),
    ("ultimate-texas-holdem-vic", "ante", "preflop=9 flop=3 river=1"): KeptEdge("-132191151563/302324022000", 500, 2),
    ("ultimate-texas-holdem-vic", "ante", "preflop=10 flop=3 river=1"): KeptEdge("-896119830013/1738363126500", 500, 2),
    ("ultimate-texas-holdem-vic", "ante", "preflop=5 flop=4 river=1"): KeptEdge("-2460399229/11037226200", 500, 2),
    ("ultimate-texas-holdem-vic", "ante", "preflop=6 flop=4 river=1"): KeptEdge("-1995522726557/6953452506000", 500, 2),
    ("ultimate-texas-holdem-vic", "ante", "preflop=7 flop=4 river=1"): KeptEdge("-108299627867/302324022000", 500, 2),
    ("ultimate-texas-holdem-vic", "ante", "preflop=8 flop=4 river=1"): KeptEdge("-22104162389/51128327250", 500, 2),
    ("ultimate-texas-holdem-vic", "ante", "preflop=9 flop=4 river=1"): KeptEdge("-321210933647/632132046000", 500, 2),
    ("ultimate-texas-holdem-vic", "ante", "preflop=10 flop=4 river=1"): KeptEdge("-156454667147/267440481000", 500, 2),
    ("ultimate-texas-holdem-vic", "ante", "preflop=6 flop=5 river=1"): KeptEdge("-2683909698073/6953452506000", 500, 2),
    ("ultimate-texas-holdem-vic", "ante", "preflop=7 flop=5 river=1"): KeptEdge("-20669883167/46356350040", 500, 2),
    ("ultimate-texas-holdem-vic", "ante", "preflop=8 flop=5 river=1"): KeptEdge("-3573831716093/6953452506000", 500, 2),
    ("ultimate-texas-holdem-vic", "ante", "preflop=9 flop=5 river=1"): KeptEdge("-4073347403303/6953452506000", 500, 2),
    ("ultimate-texas-holdem-vic", "ante", "preflop=10 flop=5 river=1"): KeptEdge("-352924246001/534880962000", 500, 2),
    ("ultimate-texas-holdem-vic", "ante", "preflop=7 flop=6 river=1"): KeptEdge("-3824332751497/6953452506000", 500, 2),
    ("ultimate-texas-holdem-vic", "ante", "preflop=8 flop=6 river=1"): KeptEdge("-28137903293/46356350040", 500, 2),
    ("ultimate-texas-holdem-vic", "ante", "preflop=9 flop=6 river=1"): KeptEdge("-2334776856257/3476726253000", 500, 2),
    ("ultimate-texas-holdem-vic", "ante", "preflop=10 flop=6 river=1"): KeptEdge(
        "-5154271613353/6953452506000", 500, 2
    ),
    ("ultimate-texas-holdem-vic", "ante", "preflop=8 flop=7 river=1"): KeptEdge("-4969535161321/6953452506000", 500, 2),
    ("ultimate-texas-holdem-vic", "ante", "preflop=9 flop=7 river=1"): KeptEdge("-5345829767963/6953452506000", 500, 2),
    ("ultimate-texas-holdem-vic", "ante", "preflop=10 flop=7 river=1"): KeptEdge("-46203572645/55627620048", 500, 2),
    ("ultimate-texas-holdem-vic", "ante", "preflop=9 flop=8 river=1"): KeptEdge("-6118556596039/6953452506000", 500, 2),
    ("ultimate-texas-holdem-vic", "ante", "preflop=10 flop=8 river=1"): KeptEdge(
        "-6477605898457/6953452506000", 500, 2
    ),
    ("ultimate-texas-holdem-vic", "ante", "preflop=10 flop=9 river=1"): KeptEdge(
        "-3635405472473/3476726253000", 500, 2
    ),
    ("ultimate-texas-holdem-vic", "ante", "preflop=4 flop=3 river=2"): KeptEdge("-199349653747/2317817502000", 500, 2),
    ("ultimate-texas-holdem-vic", "ante", "preflop=5 flop=3 river=2"): KeptEdge("-1075212777347/6953452506000", 500, 2),
    ("ultimate-texas-holdem-vic", "ante", "preflop=6 flop=3 river=2"): KeptEdge("-1410118169/6169878000", 500, 2),
    ("ultimate-texas-holdem-vic", "ante", "preflop=7 flop=3 river=2"): KeptEdge("-46080768289/151162011000", 500, 2),
    ("ultimate-texas-holdem-vic", "ante", "preflop=8 flop=3 river=2"): KeptEdge("-442813520423/1158908751000", 500, 2),
    ("ultimate-texas-holdem-vic", "ante", "preflop=9 flop=3 river=2"): KeptEdge("-266694025879/579454375500", 500, 2),
    ("ultimate-texas-holdem-vic", "ante", "preflop=10 flop=3 river=2"): KeptEdge("-467982204421/869181563250", 500, 2),
    ("ultimate-texas-holdem-vic", "ante", "preflop=5 flop=4 river=2"): KeptEdge("-49024529531/198670071600", 500, 2),
    ("ultimate-texas-holdem-vic", "ante", "preflop=6 flop=4 river=2"): KeptEdge("-134796803528/434590781625", 500, 2),
    ("ultimate-texas-holdem-vic", "ante", "preflop=7 flop=4 river=2"): KeptEdge("-33138715592/86918156325", 500, 2),
    ("ultimate-texas-holdem-vic", "ante", "preflop=8 flop=4 river=2"): KeptEdge("-225980142989/496675179000", 500, 2),
    ("ultimate-texas-holdem-vic", "ante", "preflop=9 flop=4 river=2"): KeptEdge("-14644625477/27593065500", 500, 2),
    ("ultimate-texas-holdem-vic", "ante", "preflop=10 flop=4 river=2"): KeptEdge("-469324332461/772605834000", 500, 2),
    ("ultimate-texas-holdem-vic", "ante", "preflop=6 flop=5 river=2"): KeptEdge("-129362226323/316066023000", 500, 2),
    ("ultimate-texas-holdem-vic", "ante", "preflop=7 flop=5 river=2"): KeptEdge("-652010766707/1390690501200", 500, 2),
    ("ultimate-texas-holdem-vic", "ante", "preflop=8 flop=5 river=2"): KeptEdge("-186546331891/347672625300", 500, 2),
    ("ultimate-texas-holdem-vic", "ante", "preflop=9 flop=5 river=2"): KeptEdge("-117492060391/193151458500", 500, 2),
    ("ultimate-texas-holdem-vic", "ante", "preflop=10 flop=5 river=2"): KeptEdge("-278944359521/409026618000", 500, 2),
    ("ultimate-texas-holdem-vic", "ante", "preflop=7 flop=6 river=2"): KeptEdge("-1992754892113/3476726253000", 500, 2),
    ("ultimate-texas-holdem-vic", "ante", "preflop=8 flop=6 river=2"): KeptEdge("-17306587153/27484002000", 500, 2),
    ("ultimate-texas-holdem-vic", "ante", "preflop=9 flop=6 river=2"): KeptEdge("-344605595461/496675179000", 500, 2),
    ("ultimate-texas-holdem-vic", "ante", "preflop=10 flop=6 river=2"): KeptEdge(
        "-1327214908219/1738363126500", 500, 2
    ),
    ("ultimate-texas-holdem-vic", "ante", "preflop=8 flop=7 river=2"): KeptEdge("-1026046115833/1390690501200", 500, 2),
    ("ultimate-texas-holdem-vic", "ante", "preflop=9 flop=7 river=2"): KeptEdge("-1984945199/2508460500", 500, 2),
    ("ultimate-texas-holdem-vic", "ante", "preflop=10 flop=7 river=2"): KeptEdge("-847160441429/993350358000", 500, 2),
    ("ultimate-texas-holdem-vic", "ante", "preflop=9 flop=8 river=2"): KeptEdge("-784872796537/869181563250", 500, 2),
    ("ultimate-texas-holdem-vic", "ante", "preflop=10 flop=8 river=2"): KeptEdge("-36449948509/38205783000", 500, 2),
    ("ultimate-texas-holdem-vic", "ante", "preflop=10 flop=9 river=2"): KeptEdge(
        "-1857639518177/1738363126500", 500, 2
    ),
    ("ultimate-texas-holdem-vic", "ante", "preflop=4 flop=3 river=1,2"): KeptEdge("-7288882703/58432374000", 500, 2),
    ("ultimate-texas-holdem-vic", "ante", "preflop=5 flop=3 river=1,2"): KeptEdge("-6958840613/37184238000", 500, 2),
    ("ultimate-texas-holdem-vic", "ante", "preflop=6 flop=3 river=1,2"): KeptEdge("-17080140131/66223357200", 500, 2),
    ("ultimate-texas-holdem-vic", "ante", "preflop=7 flop=3 river=1,2"): KeptEdge(
        "-2309343510163/6953452506000", 500, 2
    ),
    ("ultimate-texas-holdem-vic", "ante", "preflop=8 flop=3 river=1,2"): KeptEdge(
        "-2838795559499/6953452506000", 500, 2
    ),
    ("ultimate-texas-holdem-vic", "ante", "preflop=9 flop=3 river=1,2"): KeptEdge(
        "-3373982794453/6953452506000", 500, 2
    ),
    ("ultimate-texas-holdem-vic", "ante", "preflop=10 flop=3 river=1,2"): KeptEdge(
        "-301264136977/534880962000", 500, 2
    ),
    ("ultimate-texas-holdem-vic", "ante", "preflop=5 flop=4 river=1,2"): KeptEdge(
        "-1987835954963/6953452506000", 500, 2
    ),
    ("ultimate-texas-holdem-vic", "ante", "preflop=6 flop=4 river=1,2"): KeptEdge(
        "-2394529524529/6953452506000", 500, 2
    ),
    ("ultimate-texas-holdem-vic", "ante", "preflop=7 flop=4 river=1,2"): KeptEdge(
        "-1431917182763/3476726253000", 500, 2
    ),
    ("ultimate-texas-holdem-vic", "ante", "preflop=8 flop=4 river=1,2"): KeptEdge(
        "-1120958932463/2317817502000", 500, 2
    ),
    ("ultimate-texas-holdem-vic", "ante", "preflop=9 flop=4 river=1,2"): KeptEdge("-10864910219/19477458000", 500, 2),
    ("ultimate-texas-holdem-vic", "ante", "preflop=10 flop=4 river=1,2"): KeptEdge(
        "-1100877961069/1738363126500", 500, 2
    ),
    ("ultimate-texas-holdem-vic", "ante", "preflop=6 flop=5 river=1,2"): KeptEdge("-390470266463/869181563250", 500, 2),
    ("ultimate-texas-holdem-vic", "ante", "preflop=7 flop=5 river=1,2"): KeptEdge("-4089098731/8104257000", 500, 2),
    ("ultimate-texas-holdem-vic", "ante", "preflop=8 flop=5 river=1,2"): KeptEdge("-171900205693/302324022000", 500, 2),
    ("ultimate-texas-holdem-vic", "ante", "preflop=9 flop=5 river=1,2"): KeptEdge(
        "-887460036263/1390690501200", 500, 2
    ),
    ("ultimate-texas-holdem-vic", "ante", "preflop=10 flop=5 river=1,2"): KeptEdge(
        "-274404153707/386302917000", 500, 2
    ),
    ("ultimate-texas-holdem-vic", "ante", "preflop=7 flop=6 river=1,2"): KeptEdge(
        "-4267853544029/6953452506000", 500, 2
    ),
    ("ultimate-texas-holdem-vic", "ante", "preflop=8 flop=6 river=1,2"): KeptEdge("-13194159431/19810406000", 500, 2),
    ("ultimate-texas-holdem-vic", "ante", "preflop=9 flop=6 river=1,2"): KeptEdge(
        "-5057328860321/6953452506000", 500, 2
    ),
    ("ultimate-texas-holdem-vic", "ante", "preflop=10 flop=6 river=1,2"): KeptEdge(
        "-920584508009/1158908751000", 500, 2
    ),
    ("ultimate-texas-holdem-vic", "ante", "preflop=8 flop=7 river=1,2"): KeptEdge("-17586254251/22576144500", 500, 2),
    ("ultimate-texas-holdem-vic", "ante", "preflop=9 flop=7 river=1,2"): KeptEdge(
        "-2880624402529/3476726253000", 500, 2
    ),
    ("ultimate-texas-holdem-vic", "ante", "preflop=10 flop=7 river=1,2"): KeptEdge(
        "-118729518539/133720240500", 500, 2
    ),
    ("ultimate-texas-holdem-vic", "ante", "preflop=9 flop=8 river=1,2"): KeptEdge("-262675443319/278138100240", 500, 2),
    ("ultimate-texas-holdem-vic", "ante", "preflop=10 flop=8 river=1,2"): KeptEdge("-3406796969/3435500250", 500, 2),
    ("ultimate-texas-holdem-vic", "ante", "preflop=10 flop=9 river=1,2"): KeptEdge(
        "-7718414240707/6953452506000", 500, 2
    ),
    ("ultimate-texas-holdem-vic", "trips", ""): KeptEdge("233985/6689228", 50, 1),
    ("caribbean-stud", "ante", ""): KeptEdge("86362082531/1661102543100", 500, 1),
    ("mississippi-stud", "ante", ""): KeptEdge("53223/1082900", 1500, 1),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=3 flop=2 river=1"): KeptEdge("9740355089/100774674000", 500, 2),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=4 flop=2 river=1"): KeptEdge("50643648973/2317817502000", 500, 2),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=5 flop=2 river=1"): KeptEdge("-35202856877/632132046000", 500, 2),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=6 flop=2 river=1"): KeptEdge("-931271572939/6953452506000", 500, 2),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=7 flop=2 river=1"): KeptEdge("-7551714353/35476798500", 500, 2),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=8 flop=2 river=1"): KeptEdge("-15382266371/52677670500", 500, 2),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=9 flop=2 river=1"): KeptEdge("-2582601722263/6953452506000", 500, 2),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=10 flop=2 river=1"): KeptEdge(
        "-3137778703027/6953452506000", 500, 2
    ),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=4 flop=3 river=1"): KeptEdge("-2983702423/48625542000", 500, 2),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=5 flop=3 river=1"): KeptEdge("-16526451719/126426409200", 500, 2),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=6 flop=3 river=1"): KeptEdge("-1425296977289/6953452506000", 500, 2),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=7 flop=3 river=1"): KeptEdge("-72496713657/257535278000", 500, 2),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=8 flop=3 river=1"): KeptEdge("-146879370467/409026618000", 500, 2),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=9 flop=3 river=1"): KeptEdge("-132191151563/302324022000", 500, 2),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=10 flop=3 river=1"): KeptEdge("-896119830013/1738363126500", 500, 2),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=5 flop=4 river=1"): KeptEdge("-2460399229/11037226200", 500, 2),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=6 flop=4 river=1"): KeptEdge("-1995522726557/6953452506000", 500, 2),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=7 flop=4 river=1"): KeptEdge("-108299627867/302324022000", 500, 2),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=8 flop=4 river=1"): KeptEdge("-22104162389/51128327250", 500, 2),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=9 flop=4 river=1"): KeptEdge("-321210933647/632132046000", 500, 2),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=10 flop=4 river=1"): KeptEdge("-156454667147/267440481000", 500, 2),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=6 flop=5 river=1"): KeptEdge("-2683909698073/6953452506000", 500, 2),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=7 flop=5 river=1"): KeptEdge("-20669883167/46356350040", 500, 2),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=8 flop=5 river=1"): KeptEdge("-3573831716093/6953452506000", 500, 2),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=9 flop=5 river=1"): KeptEdge("-4073347403303/6953452506000", 500, 2),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=10 flop=5 river=1"): KeptEdge("-352924246001/534880962000", 500, 2),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=7 flop=6 river=1"): KeptEdge("-3824332751497/6953452506000", 500, 2),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=8 flop=6 river=1"): KeptEdge("-28137903293/46356350040", 500, 2),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=9 flop=6 river=1"): KeptEdge("-2334776856257/3476726253000", 500, 2),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=10 flop=6 river=1"): KeptEdge(
        "-5154271613353/6953452506000", 500, 2
    ),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=8 flop=7 river=1"): KeptEdge("-4969535161321/6953452506000", 500, 2),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=9 flop=7 river=1"): KeptEdge("-5345829767963/6953452506000", 500, 2),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=10 flop=7 river=1"): KeptEdge("-46203572645/55627620048", 500, 2),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=9 flop=8 river=1"): KeptEdge("-6118556596039/6953452506000", 500, 2),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=10 flop=8 river=1"): KeptEdge(
        "-6477605898457/6953452506000", 500, 2
    ),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=10 flop=9 river=1"): KeptEdge(
        "-3635405472473/3476726253000", 500, 2
    ),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=4 flop=3 river=2"): KeptEdge("-199349653747/2317817502000", 500, 2),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=5 flop=3 river=2"): KeptEdge("-1075212777347/6953452506000", 500, 2),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=6 flop=3 river=2"): KeptEdge("-1410118169/6169878000", 500, 2),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=7 flop=3 river=2"): KeptEdge("-46080768289/151162011000", 500, 2),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=8 flop=3 river=2"): KeptEdge("-442813520423/1158908751000", 500, 2),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=9 flop=3 river=2"): KeptEdge("-266694025879/579454375500", 500, 2),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=10 flop=3 river=2"): KeptEdge("-467982204421/869181563250", 500, 2),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=5 flop=4 river=2"): KeptEdge("-49024529531/198670071600", 500, 2),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=6 flop=4 river=2"): KeptEdge("-134796803528/434590781625", 500, 2),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=7 flop=4 river=2"): KeptEdge("-33138715592/86918156325", 500, 2),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=8 flop=4 river=2"): KeptEdge("-225980142989/496675179000", 500, 2),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=9 flop=4 river=2"): KeptEdge("-14644625477/27593065500", 500, 2),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=10 flop=4 river=2"): KeptEdge("-469324332461/772605834000", 500, 2),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=6 flop=5 river=2"): KeptEdge("-129362226323/316066023000", 500, 2),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=7 flop=5 river=2"): KeptEdge("-652010766707/1390690501200", 500, 2),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=8 flop=5 river=2"): KeptEdge("-186546331891/347672625300", 500, 2),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=9 flop=5 river=2"): KeptEdge("-117492060391/193151458500", 500, 2),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=10 flop=5 river=2"): KeptEdge("-278944359521/409026618000", 500, 2),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=7 flop=6 river=2"): KeptEdge("-1992754892113/3476726253000", 500, 2),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=8 flop=6 river=2"): KeptEdge("-17306587153/27484002000", 500, 2),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=9 flop=6 river=2"): KeptEdge("-344605595461/496675179000", 500, 2),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=10 flop=6 river=2"): KeptEdge(
        "-1327214908219/1738363126500", 500, 2
    ),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=8 flop=7 river=2"): KeptEdge("-1026046115833/1390690501200", 500, 2),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=9 flop=7 river=2"): KeptEdge("-1984945199/2508460500", 500, 2),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=10 flop=7 river=2"): KeptEdge("-847160441429/993350358000", 500, 2),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=9 flop=8 river=2"): KeptEdge("-784872796537/869181563250", 500, 2),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=10 flop=8 river=2"): KeptEdge("-36449948509/38205783000", 500, 2),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=10 flop=9 river=2"): KeptEdge(
        "-1857639518177/1738363126500", 500, 2
    ),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=4 flop=3 river=1,2"): KeptEdge("-7288882703/58432374000", 500, 2),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=5 flop=3 river=1,2"): KeptEdge("-6958840613/37184238000", 500, 2),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=6 flop=3 river=1,2"): KeptEdge("-17080140131/66223357200", 500, 2),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=7 flop=3 river=1,2"): KeptEdge(
        "-2309343510163/6953452506000", 500, 2
    ),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=8 flop=3 river=1,2"): KeptEdge(
        "-2838795559499/6953452506000", 500, 2
    ),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=9 flop=3 river=1,2"): KeptEdge(
        "-3373982794453/6953452506000", 500, 2
    ),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=10 flop=3 river=1,2"): KeptEdge(
        "-301264136977/534880962000", 500, 2
    ),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=5 flop=4 river=1,2"): KeptEdge(
        "-1987835954963/6953452506000", 500, 2
    ),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=6 flop=4 river=1,2"): KeptEdge(
        "-2394529524529/6953452506000", 500, 2
    ),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=7 flop=4 river=1,2"): KeptEdge(
        "-1431917182763/3476726253000", 500, 2
    ),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=8 flop=4 river=1,2"): KeptEdge(
        "-1120958932463/2317817502000", 500, 2
    ),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=9 flop=4 river=1,2"): KeptEdge("-10864910219/19477458000", 500, 2),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=10 flop=4 river=1,2"): KeptEdge(
        "-1100877961069/1738363126500", 500, 2
    ),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=6 flop=5 river=1,2"): KeptEdge("-390470266463/869181563250", 500, 2),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=7 flop=5 river=1,2"): KeptEdge("-4089098731/8104257000", 500, 2),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=8 flop=5 river=1,2"): KeptEdge("-171900205693/302324022000", 500, 2),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=9 flop=5 river=1,2"): KeptEdge(
        "-887460036263/1390690501200", 500, 2
    ),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=10 flop=5 river=1,2"): KeptEdge(
        "-274404153707/386302917000", 500, 2
    ),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=7 flop=6 river=1,2"): KeptEdge(
        "-4267853544029/6953452506000", 500, 2
    ),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=8 flop=6 river=1,2"): KeptEdge("-13194159431/19810406000", 500, 2),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=9 flop=6 river=1,2"): KeptEdge(
        "-5057328860321/6953452506000", 500, 2
    ),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=10 flop=6 river=1,2"): KeptEdge(
        "-920584508009/1158908751000", 500, 2
    ),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=8 flop=7 river=1,2"): KeptEdge("-17586254251/22576144500", 500, 2),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=9 flop=7 river=1,2"): KeptEdge(
        "-2880624402529/3476726253000", 500, 2
    ),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=10 flop=7 river=1,2"): KeptEdge(
        "-118729518539/133720240500", 500, 2
    ),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=9 flop=8 river=1,2"): KeptEdge("-262675443319/278138100240", 500, 2),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=10 flop=8 river=1,2"): KeptEdge("-3406796969/3435500250", 500, 2),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=10 flop=9 river=1,2"): KeptEdge(
        "-7718414240707/6953452506000", 500, 2
    ),
    ("ultimate-texas-holdem-nsw", "trips", ""): KeptEdge("233985/6689228", 50, 1),
}
