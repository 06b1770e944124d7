"""Whether an event may be stored now, as everybody concerned wishes; units of work."""

from utils.database import events, members
from utils.database.engine import Session
from utils.model.memory import SERVER_ITSELF, Consent, Event, Member, Role


def subject_of(session: Session, event: Event) -> Member | None:
    """Return whose consent holds for an event: its author's, or whoever Kith answers.

    None when the question is not stored: its author wants nothing kept of the answer either.
    """
    if event.role is Role.MEMBER or event.reply_to_id is None:
        return event.member
    asker_id = events.author_of(session, event.guild_id, event.reply_to_id)
    return None if asker_id is None else Member(event.guild_id, asker_id)


def to_store(session: Session, event: Event, subject: Member) -> Consent:
    """Return the consent under which an event may be stored, held until it is.

    A choice to have nothing stored is made before, and seen here, or erases the event after it.
    """
    concerned = {subject.user_id, *event.about_ids} - {SERVER_ITSELF}
    is_stranger = not members.hold(session, event.guild_id, concerned)
    consent = members.leave_to_store(session, subject)
    if consent is Consent.OFF or _tells_of_somebody_off(session, event):
        return Consent.OFF
    if is_stranger and event.role is Role.MEMBER:  # no row yet that could be held: it is made
        members.lock(session, subject)
        consent = members.leave_to_store(session, subject)
    return consent


def _tells_of_somebody_off(session: Session, event: Event) -> bool:
    """Whether one of Kith's answers may repeat words of somebody who wants nothing stored."""
    about = (Member(event.guild_id, user_id) for user_id in event.about_ids)
    return event.role is Role.KITH and any(
        members.consent(session, member) is Consent.OFF for member in about
    )
