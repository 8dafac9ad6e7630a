package dev.berth.controller.scheduler;

import dev.berth.controller.Outdated;
import dev.berth.controller.scheduler.SchedulingEffect.BindPod;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.ObjectKey;
import dev.berth.kube.model.Pod;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiPredicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/// Pods that have been given a node which the objects do not show yet (SCHED-16). Many pods are
/// decided about at the same time; here each learns of the others before it takes what they have
/// taken: the last place of a node, a claim for one pod only.
///
/// Losing it with the process does no harm: what was written shows in the next snapshot.
final class Assumptions {
  private final Map<ObjectKey, Placed> placed = new HashMap<>();
  private final Lock lock = new ReentrantLock();

  /// @param pod as it was when it was placed
  private record Placed(Pod pod, String node) {}

  /// Those that `objects` do not show, by node.
  Map<String, List<Pod>> beside(Snapshot objects) {
    lock.lock();
    try {
      placed.values().removeIf(each -> isShown(each, objects));
      return placed.values().stream()
          .collect(
              Collectors.groupingBy(
                  Placed::node, Collectors.mapping(Placed::pod, Collectors.toUnmodifiableList())));
    } finally {
      lock.unlock();
    }
  }

  /// Takes the place for a pod, if it is still to be had beside the others.
  ///
  /// @param latest what the caches show now. It is asked under the lock: with an older snapshot a
  ///   pod would be overlooked that was placed meanwhile and, since newer ones show it, forgotten
  ///   here
  /// @throws dev.berth.kube.api.ApiException.LostRace if it is not
  void take(
      BindPod effect,
      Supplier<Snapshot> latest,
      BiPredicate<Snapshot, Map<String, List<Pod>>> fits) {
    lock.lock();
    try {
      var objects = latest.get();
      var pod = objects.get(Kinds.POD, effect.pod().key()).found();
      if (pod.isEmpty() || !fits.test(objects, beside(objects)))
        throw Outdated.because("node \"%s\" does not suit any more".formatted(effect.node()));
      placed.put(effect.pod().key(), new Placed(pod.get(), effect.node()));
    } finally {
      lock.unlock();
    }
  }

  /// The pod has not got its node after all.
  void giveBack(ObjectKey pod) {
    lock.lock();
    try {
      placed.remove(pod);
    } finally {
      lock.unlock();
    }
  }

  private static boolean isShown(Placed assumed, Snapshot objects) {
    return objects
        .get(Kinds.POD, assumed.pod().meta().key())
        .found()
        .filter(pod -> pod.meta().uid().equals(assumed.pod().meta().uid()))
        .filter(pod -> pod.nodeName().isEmpty())
        .isEmpty();
  }
}
