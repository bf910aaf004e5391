"""Bridge in a real Chromium: the bidding box, the dummy, a claim, and the board with the cards open."""

from __future__ import annotations

import re
from typing import Any

from tests.studio.conftest import Host
from tests.studio.tab import new_game, opened, picture, place, playwright

DEAL = "N:AK4.QT9.J87.6532 QJ9.AK4.QT9.J874 T87.J876.AK5.QT9 6532.532.6432.AK"
FILE = """[Dealer "S"]
[Vulnerable "All"]
[Deal "N:AK4.QT9.J87.6532 QJ9.AK4.QT9.J874 T87.J876.AK5.QT9 6532.532.6432.AK"]
[Result "7"]
[Auction "S"]
1NT AP
[Play "W"]
D2 DJ DQ DA
*
"""


def test_a_person_bids_by_the_box_sees_the_dummy_claims_and_opens_the_cards(browser: Any, host: Host) -> None:
    with opened(browser, host, "play") as page:
        rules = "bridge:strength=1"
        doubled = f"{DEAL} 7NT-X-P-P ."
        new_game(page, "bridge", "human", rules, rules, rules, options="explain=yes,claims=yes", position=doubled)
        picture(page, "bridge-bidding")
        place(page, "P").click()
        playwright.expect(place(page, "claim-13")).to_be_visible()
        playwright.expect(page.locator(".moves li")).to_have_count(2)
        picture(page, "bridge-dummy")
        place(page, "claim-0").click()
        page.get_by_role("button", name="Look at every card").click()
        playwright.expect(page.get_by_role("heading", name="Bridge, open cards")).to_be_visible()
        playwright.expect(page.locator("ol.moves li").first).to_have_text("P")


def test_every_card_of_a_board_in_a_file_has_its_result_and_says_why_not(browser: Any, host: Host) -> None:
    with opened(browser, host, "cards") as page:
        page.get_by_label("Text").fill(FILE)
        page.get_by_role("button", name="Open", exact=True).click()
        cards = page.locator("ol.moves li")
        playwright.expect(cards.nth(4)).to_have_text("D2")
        cards.nth(4).get_by_role("button").click()
        playwright.expect(page.locator('ol.moves [aria-current="step"]')).to_have_text("D2")
        page.get_by_role("button", name="Back").click()
        worths = page.locator("section.side .lines li")
        playwright.expect(worths).to_have_count(13)
        playwright.expect(worths.filter(has_text="played")).to_have_text(re.compile("D2.*7 tricks, made.*played"))
        picture(page, "cards-worths")
        place(page, "S2").click()
        playwright.expect(page.locator("section.side .answer")).to_have_text(re.compile("S2.*Best play after it"))
        picture(page, "cards-why-not")
        page.get_by_role("button", name="Close").click()
        page.get_by_role("button", name="Next costly card").click()
        playwright.expect(page.locator('ol.moves [aria-current="step"]')).to_have_text("D2")
        playwright.expect(worths.filter(has_text="played")).to_have_text(re.compile("DJ.*6 tricks, 1 down.*played"))
        picture(page, "cards-costly")
