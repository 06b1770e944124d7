"""All cases."""

from tests.adversarial.cases_fourth import FOURTH
from tests.adversarial.cases_injection import INJECTIONS
from tests.adversarial.cases_leaks import TOLD_ELSEWHERE
from tests.adversarial.cases_poisoning import POISONINGS
from tests.adversarial.cases_second import SECOND
from tests.adversarial.cases_secrets import KEPT_BACK
from tests.adversarial.cases_subject import SUBJECTS
from tests.adversarial.cases_third import THIRD

CASES = (*INJECTIONS, *POISONINGS, *SUBJECTS, *KEPT_BACK, *TOLD_ELSEWHERE, *SECOND, *THIRD, *FOURTH)
