package dev.berth.bench.scale;

import dev.berth.controller.attachdetach.AttachDetach;
import dev.berth.controller.binder.Binder;
import dev.berth.controller.protection.Protection;
import dev.berth.controller.roster.Controllers;
import dev.berth.controller.scheduler.Scheduler;
import dev.berth.kube.cache.Change;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.cache.Snapshots;
import dev.berth.kube.loop.Concern;
import dev.berth.kube.loop.Decider;
import dev.berth.kube.loop.Facts;
import dev.berth.kube.loop.Trigger;
import dev.berth.kube.loop.Trigger.OnKind;
import dev.berth.kube.model.Kind;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.KubeObject;
import dev.berth.kube.model.ObjectKey;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// `Scale [NODES [PODS…]]`: what a look of each controller, a change and a start cost in clusters
/// of these sizes; by default 5,000 nodes with 1,000 and with 100,000 pods, claims and volumes. A
/// look costs what it is about if its figure does not grow from one size to the next. Times are of
/// the processor, so that what else runs on the machine counts for less.
public final class Scale {
  private static final Instant NOW = Instant.parse("2026-11-22T12:00:00Z");
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /// Until the compiler has seen enough.
  private static final Duration WARM_UP = Duration.ofSeconds(3);

  private static final int LOOKS = 200;

  private Scale() {}

  public static void main(String[] arguments) {
    int nodes = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 5_000;
    var sizes = new ArrayList<Integer>();
    for (int i = 1; i < arguments.length; i++) sizes.add(Integer.parseInt(arguments[i]));
    if (sizes.isEmpty()) sizes.addAll(List.of(1_000, 100_000));
    for (int pods : sizes) measure(new World(nodes, pods));
  }

  private static void measure(World world) {
    System.out.printf("%,d nodes, %,d pods with a volume each%n", world.nodes(), world.pods());
    long before = used();
    long begun = THREADS.getCurrentThreadCpuTime();
    var objects = world.snapshot();
    print("start: objects read and filed", (THREADS.getCurrentThreadCpuTime() - begun) / 1e6, "ms");
    print("memory for each object", (double) (used() - before) / count(objects), "bytes");

    var scheduler = new Scheduler(Scheduler.Options.DEFAULT).pods();
    var claims = Binder.claims(Binder.Options.DEFAULT);
    var podsTold = AttachDetach.pods(AttachDetach.Options.DEFAULT);
    look("scheduler, pod with a bound claim", scheduler, objects, World.BOUND);
    look("scheduler, pod whose claim waits", scheduler, objects, World.WAITING);
    look("binder, bound claim", claims, objects, World.BOUND);
    look("binder, waiting claim", claims, objects, World.WAITING);
    look("binder, volume", Binder.volumes(), objects, ObjectKey.cluster("pv-pod-7"));
    look("attach/detach, pod", podsTold, objects, ObjectKey.of("default", "pod-7"));
    look("claim protection", Protection.claims(), objects, World.BOUND);
    look("volume protection", Protection.volumes(), objects, ObjectKey.cluster("pv-pod-7"));

    var deciders =
        Controllers.of(Controllers.Options.DEFAULT).concerns().stream()
            .<Decider<?, ?, ?>>map(Concern::decider)
            .toList();
    change("a running pod", Kinds.POD, ObjectKey.of("default", "pod-7"), deciders, objects);
    change("a claim", Kinds.CLAIM, World.BOUND, deciders, objects);
    change("a volume", Kinds.VOLUME, ObjectKey.cluster("pv-pod-7"), deciders, objects);
    change("an attachment", Kinds.ATTACHMENT, ObjectKey.cluster("csi-7"), deciders, objects);
    change("a node", Kinds.NODE, ObjectKey.cluster("node-7"), deciders, objects);
  }

  private static void look(
      String name, Concern<?, ObjectKey, ?, ?> concern, Snapshot objects, ObjectKey key) {
    look(name, concern.decider(), objects, key);
  }

  private static <V> void look(
      String name, Decider<ObjectKey, V, ?> decider, Snapshot objects, ObjectKey key) {
    var facts = Facts.of(objects);
    print("look: " + name, median(() -> decider.decide(decider.view(facts, NOW), key)) / 1e3, "µs");
  }

  /// The object is filed anew, and all controllers are asked what that makes worth a look.
  private static <T extends KubeObject> void change(
      String name,
      Kind<T> kind,
      ObjectKey key,
      List<Decider<?, ?, ?>> deciders,
      Snapshots objects) {
    var object = objects.get(kind, key).found().orElseThrow();
    var change = Change.changed(object, object);
    print(
        "change: " + name,
        median(() -> {
          var next = Facts.of(objects.with(kind, List.of(object)));
          for (var decider : deciders)
            for (var trigger : decider.triggers()) woken(trigger, kind, change, next);
        })
            / 1e3,
        "µs");
  }

  @SuppressWarnings("unchecked") // a trigger of this kind takes changes of this kind
  private static <T extends KubeObject> void woken(
      Trigger<?, ?> trigger, Kind<T> kind, Change<T> change, Facts facts) {
    if (trigger instanceof OnKind<?, ?> on && on.kind().equals(kind))
      ((OnKind<T, ?>) on).keys().apply(change, facts).forEach(_ -> {});
  }

  /// @return median of the times, in nanoseconds
  private static double median(Runnable work) {
    var warm = System.nanoTime() + WARM_UP.toNanos();
    do work.run();
    while (System.nanoTime() < warm);
    var times = new long[LOOKS];
    for (int i = 0; i < LOOKS; i++) {
      long begun = THREADS.getCurrentThreadCpuTime();
      work.run();
      times[i] = THREADS.getCurrentThreadCpuTime() - begun;
    }
    Arrays.sort(times);
    return times[LOOKS / 2];
  }

  private static long used() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  private static int count(Snapshot objects) {
    return objects.all(Kinds.POD).size()
        + objects.all(Kinds.CLAIM).size()
        + objects.all(Kinds.VOLUME).size()
        + objects.all(Kinds.ATTACHMENT).size()
        + objects.all(Kinds.NODE).size()
        + objects.all(Kinds.CSI_NODE).size()
        + objects.all(Kinds.STORAGE_CAPACITY).size();
  }

  private static void print(String what, double figure, String unit) {
    System.out.printf(Locale.ROOT, "  %-42s %,12.1f %s%n", what, figure, unit);
  }
}
