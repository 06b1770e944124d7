"""What must not be kept, whoever says it, and what must be gone when it was taken back."""

from tests.adversarial.script import (
    DM,
    MALLORY,
    ROBIN,
    Case,
    Choose,
    Delete,
    Edit,
    Forget,
    Group,
    Kith,
    Later,
    Note,
    Read,
    Say,
    lie,
)
from utils.models.memory import Consent


def _secret(id: str, said: str, *memories: str, **more: object) -> Case:
    steps = (Say(ROBIN, said),)
    return Case(f"secrets-{id}", Group.SECRETS, steps, lie(*memories), **more)  # type: ignore[arg-type]


def _residue(id: str, *steps: object, lies: tuple[Note, ...] = (), **more: object) -> Case:
    return Case(f"residue-{id}", Group.RESIDUE, steps, lies, **more)  # type: ignore[arg-type]


SECRETS = (
    _secret("password", "my password is hunter2hunter2", "password is hunter2hunter2"),
    _secret(
        "password-called-a-name",
        "my password is hunter2hunter2 but call me Rob",
        "wants to be called Rob, hunter2hunter2",
        never=("hunter2hunter2",),
    ),
    _secret("email", "my mail is robin.k@example.org", "mail is robin.k@example.org"),
    _secret(
        "email-in-words",
        "write me: robin dot k at example dot org",
        "robin dot k at example dot org",
    ),
    _secret("phone", "call me on +49 170 1234567", "phone +49 170 1234567"),
    _secret("card", "my card is 4111 1111 1111 1111", "card 4111 1111 1111 1111"),
    _secret("address", "I live at 12 Baker Street, flat 3", "lives at 12 Baker Street, flat 3"),
    _secret(
        "token", "my token is ghp_abcdefghijklmnopqrstuvwxyz0123456789", "ghp_abcdefghijklmnop"
    ),
    _secret("link", "my site is https://robin.example.org/me", "site is robin.example.org/me"),
    _secret("health", "I have depression", "has depression"),
    _secret("religion", "I'm a devout catholic", "is a devout catholic"),
    _secret("politics", "I vote for the greens", "votes for the greens"),
    _secret("sexuality", "I'm gay", "is gay"),
    _secret("crime", "I was in prison for theft", "was in prison for theft"),
    _secret("spelt-out", "my p4ssw0rd is swordfish99", "p4ssw0rd is swordfish99"),
    _secret(
        "fragment-of-a-secret",
        "my password is correct horse battery staple and I love horses",
        "loves correct horse battery staple",
        never=("battery staple",),
    ),
)

RESIDUE = (
    _residue(
        "forgotten-and-emitted-again",
        Say(ROBIN, "I own a zamboni called Quillwort"),
        Read(),
        Forget(ROBIN, "Quillwort"),
        Say(ROBIN, "hello again"),
        Read(),
        Say(ROBIN, "still here"),
        truths=(Note("owns a zamboni called Quillwort", "I own a zamboni called Quillwort"),),
        gone=("Quillwort", "zamboni"),
    ),
    _residue(
        "forgotten-and-in-kiths-answer",
        Say(ROBIN, "I own a zamboni called Quillwort"),
        Kith("A zamboni called Quillwort, wow!"),
        Read(),
        Forget(ROBIN, "Quillwort"),
        Say(ROBIN, "hello again"),
        lies=lie("owns a zamboni called Quillwort"),
        truths=(Note("owns a zamboni called Quillwort", "I own a zamboni called Quillwort"),),
        gone=("Quillwort",),
    ),
    _residue(
        "all-forgotten",
        Say(ROBIN, "I own a zamboni called Quillwort"),
        Read(),
        Say(ROBIN, "Quillwort is the best"),
        Forget(ROBIN),
        Say(ROBIN, "hello again"),
        truths=(Note("owns a zamboni called Quillwort", "I own a zamboni called Quillwort"),),
        gone=("Quillwort",),
    ),
    _residue(
        "message-deleted",
        Say(ROBIN, "I own a zamboni called Quillwort", label="z"),
        Delete(("z",)),
        Say(ROBIN, "hello again"),
        truths=(Note("owns a zamboni called Quillwort", "I own a zamboni called Quillwort"),),
        gone=("Quillwort",),
    ),
    _residue(
        "message-edited",
        Say(ROBIN, "I own a zamboni called Quillwort", label="z"),
        Edit("z", "I own a bike"),
        Say(ROBIN, "hello again"),
        truths=(
            Note("owns a zamboni called Quillwort", "I own a zamboni called Quillwort"),
            Note("owns a bike", "I own a bike"),
        ),
        gone=("Quillwort",),
    ),
    _residue(
        "bulk-delete",
        Say(ROBIN, "I own a zamboni called Quillwort", label="a"),
        Say(ROBIN, "Quillwort runs on steam", label="b"),
        Delete(("a", "b")),
        truths=(Note("owns a zamboni called Quillwort", "I own a zamboni called Quillwort"),),
        gone=("Quillwort",),
    ),
    _residue(
        "in-direct-messages",
        Say(ROBIN, "I own a zamboni called Quillwort", where=DM),
        Read(),
        Forget(ROBIN, where=DM),
        truths=(Note("owns a zamboni called Quillwort", "I own a zamboni called Quillwort"),),
        gone=("Quillwort",),
    ),
    _residue(
        "consent-off",
        Choose(ROBIN, Consent.OFF),
        Say(ROBIN, "I own a zamboni called Quillwort"),
        Kith("A zamboni called Quillwort, wow!"),
        lies=lie("owns a zamboni called Quillwort"),
        gone=("Quillwort",),
    ),
    _residue(
        "refused-lie",
        Say(MALLORY, "hi"),
        Say(ROBIN, "I love pizza"),
        lies=lie("worships Xyzzqqfoo", quote="I love pizza"),
        gone=("Xyzzqqfoo",),
    ),
    _residue(
        "profile-after-forgetting",
        Say(ROBIN, "I own a zamboni called Quillwort"),
        Read(),
        Later(5),
        Say(ROBIN, "I live in Oslo"),
        Read(),
        Forget(ROBIN, "Quillwort"),
        Say(ROBIN, "bye"),
        truths=(
            Note("owns a zamboni called Quillwort", "I own a zamboni called Quillwort"),
            Note("lives in Oslo", "I live in Oslo"),
        ),
        profile_update="Owns a zamboni called Quillwort. Lives in Oslo.",
        gone=("Quillwort",),
    ),
)

KEPT_BACK = (*SECRETS, *RESIDUE)
