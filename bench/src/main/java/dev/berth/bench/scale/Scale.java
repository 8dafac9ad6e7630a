package dev.berth.bench.scale;

import dev.berth.controller.attachdetach.AttachDetach;
import dev.berth.controller.binder.Binder;
import dev.berth.controller.protection.Protection;
import dev.berth.controller.scheduler.Scheduler;
import dev.berth.kube.api.Api;
import dev.berth.kube.cache.Change;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.cache.Snapshots;
import dev.berth.kube.event.EventRecorder;
import dev.berth.kube.loop.Trigger;
import dev.berth.kube.loop.Unsplit;
import dev.berth.kube.model.Kind;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.KubeObject;
import dev.berth.kube.model.ObjectKey;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.lang.reflect.Proxy;
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
  private static final int WARM_UP = 200;
  private static final int LOOKS = 200;

  /// The controllers only decide here.
  private static final Api UNASKED =
      (Api)
          Proxy.newProxyInstance(
              Scale.class.getClassLoader(),
              new Class<?>[] {Api.class},
              (_, method, _) -> {
                throw new IllegalStateException("a decision asked the API: " + method.getName());
              });

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

    var events = EventRecorder.SILENT;
    var scheduler = new Scheduler(UNASKED, () -> objects, events, Scheduler.Options.DEFAULT);
    var binder = new Binder(UNASKED, events, Binder.Options.DEFAULT);
    var attachDetach = new AttachDetach(UNASKED, events, AttachDetach.Options.DEFAULT);
    var protection = new Protection(UNASKED);
    look("scheduler, pod with a bound claim", scheduler.pods(), objects, World.BOUND);
    look("scheduler, pod whose claim waits", scheduler.pods(), objects, World.WAITING);
    look("binder, bound claim", binder.claims(), objects, World.BOUND);
    look("binder, waiting claim", binder.claims(), objects, World.WAITING);
    look("binder, volume", binder.volumes(), objects, ObjectKey.cluster("pv-pod-7"));
    look("attach/detach, pod", attachDetach.pods(), objects, ObjectKey.of("default", "pod-7"));
    look("claim protection", protection.claims(), objects, World.BOUND);
    look("volume protection", protection.volumes(), objects, ObjectKey.cluster("pv-pod-7"));

    List<Unsplit<?, ?>> controllers =
        List.of(
            scheduler.pods(),
            binder.claims(),
            binder.volumes(),
            attachDetach.pods(),
            attachDetach.volumes(),
            protection.claims(),
            protection.volumes());
    change("a running pod", Kinds.POD, ObjectKey.of("default", "pod-7"), controllers, objects);
    change("a claim", Kinds.CLAIM, World.BOUND, controllers, objects);
    change("a volume", Kinds.VOLUME, ObjectKey.cluster("pv-pod-7"), controllers, objects);
    change("an attachment", Kinds.ATTACHMENT, ObjectKey.cluster("csi-7"), controllers, objects);
    change("a node", Kinds.NODE, ObjectKey.cluster("node-7"), controllers, objects);
  }

  private static <V> void look(
      String name, Unsplit<ObjectKey, V> controller, Snapshot objects, ObjectKey key) {
    print(
        "look: " + name,
        median(() -> controller.decide(controller.view(objects, NOW), key)) / 1e3,
        "µs");
  }

  /// The object is filed anew, and all controllers are asked what that makes worth a look.
  private static <T extends KubeObject> void change(
      String name,
      Kind<T> kind,
      ObjectKey key,
      List<Unsplit<?, ?>> controllers,
      Snapshots objects) {
    var object = objects.get(kind, key).found().orElseThrow();
    var change = Change.changed(object, object);
    print(
        "change: " + name,
        median(() -> {
          var next = objects.with(kind, List.of(object));
          for (var controller : controllers)
            for (var trigger : controller.triggers()) woken(trigger, kind, change, next);
        })
            / 1e3,
        "µs");
  }

  @SuppressWarnings("unchecked") // a trigger of this kind takes changes of this kind
  private static <T extends KubeObject> void woken(
      Trigger<?, ?> trigger, Kind<T> kind, Change<T> change, Snapshot objects) {
    if (trigger.kind().equals(kind))
      ((Trigger<T, ?>) trigger).keys().apply(change, objects).forEach(_ -> {});
  }

  /// @return median of the times, in nanoseconds
  private static double median(Runnable work) {
    for (int i = 0; i < WARM_UP; i++) work.run();
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
