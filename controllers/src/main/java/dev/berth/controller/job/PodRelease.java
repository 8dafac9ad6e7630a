package dev.berth.controller.job;

import dev.berth.controller.Live;
import dev.berth.controller.Means;
import dev.berth.controller.Outdated;
import dev.berth.controller.workload.Workload;
import dev.berth.controller.workload.WorkloadEffects;
import dev.berth.kube.loop.Effects;
import dev.berth.kube.object.Ref;

/// Releases pods.
record PodRelease(Means means) implements Effects<ReleasePod> {
  @Override
  public void carryOut(ReleasePod effect) {
    effect.job().ifPresent(this::refuseIfItCounts);
    new WorkloadEffects(means).carryOut(Tally.untrack(effect.pod()));
  }

  /// A pod may be seen before its Job: without its mark it would not be counted.
  private void refuseIfItCounts(Ref job) {
    if (new Live(means.api())
        .find(Workload.JOB, job.key())
        .filter(it -> it.meta().uid().equals(job.uid()) && !it.meta().deleting())
        .isPresent()) throw Outdated.because(job + " is there");
  }
}
