"""`codeagent doctor`: what there is, what is wrong with it, and how to mend it."""
