"""People whom the tests of what is pledged share. All of them are made up."""

import pytest

from buyers.enums import BuyerKind, IdentityType
from buyers.models import Buyer


@pytest.fixture
def heir(irene):
    return Buyer.objects.create(
        kind=BuyerKind.NATURAL,
        identity_type=IdentityType.CC,
        identity_number="20304050",
        name="Heredera Ficticia Muestra",
        name_folded="heredera ficticia muestra",
        registered_by=irene,
    )
