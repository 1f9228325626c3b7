-- What groups of runs are usually made of, in the order in which they are usually made: sorting wide rows took most of the time.
CREATE INDEX run_facts_grouped ON run_facts
  (ccas, buffer, trace, f_utilisation, f_throughput, f_queueing_mean, f_queueing_p95, f_loss);
