"""Who is told what: a random walk through a server, and realistic servers, judged by the oracle."""
