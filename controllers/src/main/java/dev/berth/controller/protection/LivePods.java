package dev.berth.controller.protection;

import dev.berth.kube.api.Api;
import dev.berth.kube.api.Selector;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Pod;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.volume.PodClaim;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/// Who uses a claim, as the server itself shows it (PROT-03). Questions that come while a namespace
/// is being listed share the next list, so that a thousand claims deleted at once cost a handful of
/// lists and not a thousand (PERF-03).
final class LivePods {
  private final Api api;
  private final Map<String, Namespace> namespaces = new ConcurrentHashMap<>();

  LivePods(Api api) {
    this.api = api;
  }

  /// The pods that keep `claim`, from a list that was begun after this call.
  List<Pod> using(Claim claim) throws InterruptedException {
    return namespaces
        .computeIfAbsent(claim.meta().namespace(), Namespace::new)
        .byClaim()
        .getOrDefault(claim.meta().key(), List.of())
        .stream()
        .filter(pod -> Usage.keeps(pod, claim))
        .toList();
  }

  private final class Namespace {
    private final String name;
    private final ReentrantLock lock = new ReentrantLock();
    private final AtomicLong begun = new AtomicLong();

    // Guarded by lock.
    private Map<ObjectKey, List<Pod>> listed = Map.of();
    private long listedAs;

    Namespace(String name) {
      this.name = name;
    }

    Map<ObjectKey, List<Pod>> byClaim() throws InterruptedException {
      long needed = begun.get() + 1; // a list that has already begun may have missed a pod
      lock.lockInterruptibly();
      try {
        if (listedAs < needed) {
          long number = begun.incrementAndGet();
          listed = list();
          listedAs = number;
        }
        return listed;
      } finally {
        if (!lock.hasQueuedThreads()) forget();
        lock.unlock();
      }
    }

    private Map<ObjectKey, List<Pod>> list() {
      var byClaim = new HashMap<ObjectKey, List<Pod>>();
      for (var object : api.list(Resources.PODS, name, Selector.ALL).items()) {
        var pod = Kinds.POD.read().apply(object);
        for (var claim : PodClaim.of(pod))
          byClaim.computeIfAbsent(claim.key(), _ -> new ArrayList<>()).add(pod);
      }
      return byClaim;
    }

    /// Nobody shares the list any more.
    private void forget() {
      listed = Map.of();
      listedAs = 0;
    }
  }
}
