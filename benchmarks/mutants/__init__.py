"""What the tests notice: small faults are put into the code, and the tests run against each."""
