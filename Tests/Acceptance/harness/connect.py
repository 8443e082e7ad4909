"""Makes what an app sells, as resources of the App Store Connect API, for the local App Store."""
TERRITORIES = ["CAN", "DEU", "FRA", "USA"]
CURRENCIES = {"CAN": "CAD", "DEU": "EUR", "FRA": "EUR", "USA": "USD"}


def resource(kind, identifier, attributes, children=None, **related):
    found = {"type": kind, "id": identifier, "attributes": attributes}
    if related:
        types = {"territory": "territories", "subscriptionPricePoint": "subscriptionPricePoints"}
        found["relationships"] = {name: {"data": {"type": types[name], "id": value}} for name, value in related.items()}
    return found | ({"children": children} if children else {})


def priced(element, territory, price):
    """The element with its price in a territory, and with the two resources that `include` adds to an answer for them."""
    point = f"{element['id']}-{price}"
    relations = resource("", "", {}, territory=territory, subscriptionPricePoint=point)["relationships"]
    return element | {"relationships": relations, "included": [
        resource("territories", territory, {"currency": CURRENCIES[territory]}),
        resource("subscriptionPricePoints", point, {"customerPrice": price, "proceeds": "0.01"})]}


def prices(kind, offer, territories):
    """The prices of an offer. `territories` is a list of territories, or a dictionary with a price for each."""
    made = {each: resource(kind, f"{offer}-{each}", {}, territory=each) for each in territories}
    return [priced(made[each], each, territories[each]) if isinstance(territories, dict) else made[each] for each in made]


def scheduled(territory, price, start=None, preserved=False, plan=None):
    """A regular price of a subscription that is valid from a day on."""
    element = resource("subscriptionPrices", f"{territory}-{start}-{preserved}-{plan}", {
        "startDate": start, "preserved": preserved, **({"planType": plan} if plan else {})})
    return priced(element, territory, price)


def introductory(mode, duration, territories=TERRITORIES, periods=1, **dates):
    attributes = {"offerMode": mode, "duration": duration, "numberOfPeriods": periods, "startDate": None, "endDate": None} | dates
    return [resource("subscriptionIntroductoryOffers", f"{mode}-{each}", attributes, territory=each) for each in territories]


class Shop:
    """Collects the resources of one account."""

    def __init__(self, first=6440000000):
        self.resources = []
        self._count = first

    def _id(self):
        self._count += 1
        return str(self._count)

    def app(self, bundle_id, *groups):
        self.resources.append(resource("apps", self._id(), {"bundleId": bundle_id}, {"subscriptionGroups": list(groups)}))
        return self

    def group(self, identifier, name, *subscriptions):
        made = resource("subscriptionGroups", identifier, {"referenceName": name}, {"subscriptions": list(subscriptions)})
        self.resources.append(made)
        return made

    def subscription(self, product, period, level, introductory=(), promotional=(), win_back=(), name=None, prices=()):
        made = resource(
            "subscriptions", self._id(),
            {"productId": product, "name": name or product, "groupLevel": level, "subscriptionPeriod": period, "state": "APPROVED"},
            {"introductoryOffers": list(introductory), "promotionalOffers": list(promotional), "winBackOffers": list(win_back),
             "prices": list(prices)})
        self.resources.append(made)
        return made

    def promotional(self, code, mode, duration, periods=1, territories=TERRITORIES):
        identifier = self._id()
        made = resource(
            "subscriptionPromotionalOffers", identifier,
            {"name": code, "offerCode": code, "offerMode": mode, "duration": duration, "numberOfPeriods": periods},
            {"prices": prices("subscriptionPromotionalOfferPrices", identifier, territories)})
        self.resources.append(made)
        return made

    def win_back(self, code, mode, duration, periods=1, territories=TERRITORIES, start="2026-01-01", end=None):
        identifier = self._id()
        made = resource(
            "winBackOffers", identifier,
            {"referenceName": code, "offerId": code, "offerMode": mode, "duration": duration, "periodCount": periods,
             "startDate": start, "endDate": end, "priority": "NORMAL"},
            {"prices": prices("winBackOfferPrices", identifier, territories)})
        self.resources.append(made)
        return made
