"""Plants small faults into the pure rooms, one at a time, and sees whether a test finds each: `make mutants`.

`operators` says which faults there are, `reach` which tests come by a line, `trial` plants one and runs these tests,
`results` counts what was found and how sure that is.
"""
