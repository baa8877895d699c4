"""The weights of the expert of the Belote family: their names, what they mean, where they stand."""

from __future__ import annotations

from agents.scripted.expert.weights import Groups

LIMITS: dict[str, str] = {
    "most_hands": "hands of the other seat up to which the last three tricks are played out over all of them",
}
"""What is chosen and not tuned; first in the array."""

AUCTION: dict[str, str] = {
    "worth_7": "of a seven of trumps in a hand of the auction",
    "worth_8": "of an eight of trumps",
    "worth_9": "of a nine of trumps",
    "worth_ten": "of a ten of trumps",
    "worth_jack": "of a jack of trumps",
    "worth_queen": "of a queen of trumps",
    "worth_king": "of a king of trumps",
    "worth_ace": "of an ace of trumps",
    "lone_nine": "of a nine of trumps without the jack and without two more trumps, beside its worth",
    "long_trumps": "of each trump beyond the third",
    "jack_nine": "of jack and nine of trumps together",
    "pair": "of king and queen of trumps together",
    "side_ace": "of an ace outside trumps",
    "side_ace_ten": "of a ten that stands with its ace, outside trumps",
    "side_guarded_ten": "of a ten without its ace but with a lower card, outside trumps",
    "side_bare_ten": "of a ten alone in its suit, outside trumps",
    "side_king": "of a king outside trumps",
    "void": "of a suit without a card, beside three trumps or more",
    "run": "of a sequence of three cards, in points of its value",
    "exchange": "of each point of the turned card where the seven of its suit, as trump, is held",
    "turned": "of each point of the turned card where the seven is not held: the other side may have it, or nobody",
    "need_accept_elder": "taken from the worth of the turned suit when elder accepts it",
    "need_accept_dealer": "taken from the worth of the turned suit when the dealer accepts it",
    "need_refuse": "taken from the worth of the turned suit when a seat refuses a new deal and has to play",
    "need_name_elder": "taken from the worth of the best other suit when elder names it",
    "need_name_dealer": "taken from the worth of the best other suit when the dealer names it",
    "pass_elder_1": "points that elder expects of a pass in round 1",
    "pass_elder_1_turned": "the same, for each point of worth of the turned suit",
    "pass_elder_1_others": "the same, for each point of worth of the other suits on the mean",
    "pass_dealer_1": "points that the dealer expects of a pass in round 1",
    "pass_dealer_1_turned": "the same, for each point of worth of the turned suit",
    "pass_dealer_1_others": "the same, for each point of worth of the other suits on the mean",
    "pass_elder_2": "points that elder expects of a pass in round 2",
    "pass_elder_2_best": "the same, for each point of worth of the best other suit",
    "pass_elder_2_others": "the same, for each point of worth of the other suits on the mean",
    "propose_elder_1": "points that elder expects of a proposal in round 1",
    "propose_elder_1_turned": "the same, for each point of worth of the turned suit",
    "propose_elder_1_others": "the same, for each point of worth of the other suits on the mean",
    "propose_dealer_1": "points that the dealer expects of a proposal in round 1",
    "propose_dealer_1_turned": "the same, for each point of worth of the turned suit",
    "propose_dealer_1_others": "the same, for each point of worth of the other suits on the mean",
    "propose_elder_2": "points that elder expects of a proposal in round 2",
    "propose_elder_2_best": "the same, for each point of worth of the best other suit",
    "propose_elder_2_others": "the same, for each point of worth of the other suits on the mean",
    "propose_dealer_2": "points that the dealer expects of a proposal in round 2",
    "propose_dealer_2_best": "the same, for each point of worth of the best other suit",
    "propose_dealer_2_others": "the same, for each point of worth of the other suits on the mean",
    "refuse_1": "points expected of refusing a new deal in round 1 where the other side then plays",
    "refuse_1_turned": "the same, for each point of worth of the turned suit",
    "refuse_1_others": "the same, for each point of worth of the other suits on the mean",
    "refuse_2": "points expected of refusing a new deal in round 2, after which the other side names a suit",
    "refuse_2_turned": "the same, for each point of worth of the turned suit",
    "refuse_2_others": "the same, for each point of worth of the other suits on the mean",
}
"""Weights of the auction, in the order of the array."""

PLAY: dict[str, str] = {
    "trump_7": "what a seven of trumps that stays in the hand is worth",
    "trump_8": "an eight of trumps",
    "trump_9": "a nine of trumps",
    "trump_ten": "a ten of trumps",
    "trump_jack": "a jack of trumps",
    "trump_queen": "a queen of trumps",
    "trump_king": "a king of trumps",
    "trump_ace": "an ace of trumps",
    "trump_master": "added for a trump that nothing in the other hand may beat",
    "trump_exposed": "for each point of a trump that may be beaten, without a lower one beside it",
    "trump_long": "for each own trump beyond those expected in the other hand",
    "trump_late": "for each own trump, times the part of the tricks that is played",
    "last_trick": "added for a master trump, divided by the cards of the hand: it may win the last trick",
    "ace": "an ace outside trumps",
    "ten_master": "a ten outside trumps that nothing beats",
    "ten_guarded": "a ten outside trumps that may be beaten, with a lower card",
    "ten_bare": "a ten outside trumps that may be beaten, without a lower card",
    "king_master": "a king outside trumps that nothing beats",
    "king": "another king",
    "low_master": "a lower card that nothing beats",
    "queen_jack": "a queen or jack that may be beaten",
    "low": "a nine, eight or seven that may be beaten",
    "ruffed": "for each point of a master card outside trumps, times the chance that it would be trumped",
    "safe_master": "for each master card outside trumps, times the chance that the other hand has no trump",
    "void": "a suit without a card, beside a trump",
    "lead": "being on lead after the trick",
    "lead_late": "the same, times the part of the tricks that is played",
    "lead_masters": "being on lead, for each point of the best master outside trumps, times the chance that it holds",
    "led_won": "for each point of a led card, times the chance that it holds, beside the point itself",
    "led_lost": "for each point of a led card, times the chance that it is beaten, beside the point itself",
    "caught_plain": "points expected from the other card when a lead outside trumps holds",
    "caught_trump": "points expected from the other card when a lead of trumps holds",
    "lost_plain": "points given besides the card when a lead outside trumps is beaten",
    "lost_trump": "points given besides the card when a lead of trumps is beaten",
    "draw": "leading a master trump, for each trump expected in the other hand",
    "force": "leading a suit that the other hand must trump, times the chance of it",
    "long": "leading a suit outside trumps, for each other card of it in the own hand",
    "under": "leading a small card from under a ten that may be beaten",
    "repeat": "leading a suit outside trumps, for each card of it that is gone",
    "other_trumps": "power of the chance by the count that the other hand has no trumps: above 1 it has more",
}
"""Weights of the play, once for the taker and once for the defender, in the order of the array."""

_A = {name: place for place, name in enumerate(AUCTION, len(LIMITS))}
_P = {name: place for place, name in enumerate(PLAY)}
WORTH = _A["worth_7"]
LONE_NINE = _A["lone_nine"]
LONG_TRUMPS = _A["long_trumps"]
JACK_NINE = _A["jack_nine"]
PAIR_WORTH = _A["pair"]
SIDE_ACE = _A["side_ace"]
SIDE_ACE_TEN = _A["side_ace_ten"]
SIDE_GUARDED_TEN = _A["side_guarded_ten"]
SIDE_BARE_TEN = _A["side_bare_ten"]
SIDE_KING = _A["side_king"]
VOID_WORTH = _A["void"]
RUN_WORTH = _A["run"]
EXCHANGE_WORTH = _A["exchange"]
TURNED = _A["turned"]
NEED_ACCEPT_ELDER = _A["need_accept_elder"]
NEED_ACCEPT_DEALER = _A["need_accept_dealer"]
NEED_REFUSE = _A["need_refuse"]
NEED_NAME_ELDER = _A["need_name_elder"]
NEED_NAME_DEALER = _A["need_name_dealer"]
PASS_ELDER_1 = _A["pass_elder_1"]
PASS_DEALER_1 = _A["pass_dealer_1"]
PASS_ELDER_2 = _A["pass_elder_2"]
PROPOSE_ELDER_1 = _A["propose_elder_1"]
PROPOSE_DEALER_1 = _A["propose_dealer_1"]
PROPOSE_ELDER_2 = _A["propose_elder_2"]
PROPOSE_DEALER_2 = _A["propose_dealer_2"]
REFUSE_1 = _A["refuse_1"]
REFUSE_2 = _A["refuse_2"]
TRUMP = _P["trump_7"]
TRUMP_MASTER = _P["trump_master"]
TRUMP_EXPOSED = _P["trump_exposed"]
TRUMP_LONG = _P["trump_long"]
TRUMP_LATE = _P["trump_late"]
LAST_TRICK = _P["last_trick"]
ACE_KEPT = _P["ace"]
TEN_MASTER = _P["ten_master"]
TEN_GUARDED = _P["ten_guarded"]
TEN_BARE = _P["ten_bare"]
KING_MASTER = _P["king_master"]
KING_KEPT = _P["king"]
LOW_MASTER = _P["low_master"]
QUEEN_JACK = _P["queen_jack"]
LOW = _P["low"]
RUFFED = _P["ruffed"]
SAFE_MASTER = _P["safe_master"]
VOID_KEPT = _P["void"]
LEAD_KEPT = _P["lead"]
LEAD_LATE = _P["lead_late"]
LEAD_MASTERS = _P["lead_masters"]
LED_WON = _P["led_won"]
LED_LOST = _P["led_lost"]
CAUGHT_PLAIN = _P["caught_plain"]
CAUGHT_TRUMP = _P["caught_trump"]
LOST_PLAIN = _P["lost_plain"]
LOST_TRUMP = _P["lost_trump"]
DRAW = _P["draw"]
FORCE = _P["force"]
LONG = _P["long"]
UNDER = _P["under"]
REPEAT = _P["repeat"]
OTHER_TRUMPS = _P["other_trumps"]
MOST_HANDS = 0
TAKER = len(LIMITS) + len(AUCTION)
"""Where the weights of the taker's play begin."""
DEFENDER = TAKER + len(PLAY)
"""Where those of the defender's play begin."""
SIZE = DEFENDER + len(PLAY)
GROUPS: Groups = {"limits": LIMITS, "auction": AUCTION, "taker": PLAY, "defender": PLAY}
"""Groups of the weights in the order of the array: names and what they mean."""
