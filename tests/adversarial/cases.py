"""All cases."""

from tests.adversarial.cases_injection import INJECTIONS
from tests.adversarial.cases_leaks import TOLD_ELSEWHERE
from tests.adversarial.cases_poisoning import POISONINGS
from tests.adversarial.cases_second import SECOND
from tests.adversarial.cases_secrets import KEPT_BACK
from tests.adversarial.cases_subject import SUBJECTS

CASES = (*INJECTIONS, *POISONINGS, *SUBJECTS, *KEPT_BACK, *TOLD_ELSEWHERE, *SECOND)
