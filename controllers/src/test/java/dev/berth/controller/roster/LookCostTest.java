package dev.berth.controller.roster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controller.Draft;
import dev.berth.controller.Rule;
import dev.berth.controller.attachdetach.AttachDetach;
import dev.berth.controller.binder.Binder;
import dev.berth.controller.protection.Protection;
import dev.berth.controller.scheduler.Scheduler;
import dev.berth.kube.cache.Change;
import dev.berth.kube.cache.Snapshots;
import dev.berth.kube.fact.Counted;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.fact.Trigger;
import dev.berth.kube.loop.Concern;
import dev.berth.kube.loop.Decider;
import dev.berth.kube.model.CsiDriver;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// A look (PERF-02), and asking what a change makes worth one, reads what it is about: as much in a
/// cluster of 10,000 pods, claims and volumes as in one of 1,000. Counted, so that nothing depends
/// on the machine; `bench/scale` says what it takes in time.
class LookCostTest {
  private static final int NODES = 20;
  private static final ObjectKey BOUND = ObjectKey.of("shop", "bound");
  private static final ObjectKey WAITING = ObjectKey.of("shop", "waiting");
  private static final ObjectKey RUNNING = ObjectKey.of("shop", "n7");
  private static final ObjectKey VOLUME = ObjectKey.cluster("pv-n7");

  /// Each bound claim has its volume and a pod, on one of a few nodes, attached.
  private static Snapshots cluster(int pods) {
    return cluster(pods, NODES);
  }

  private static Snapshots cluster(int pods, int nodes) {
    var names = IntStream.range(0, pods).mapToObj(number -> "n" + number).toList();
    return Snapshots.empty()
        .with(Kinds.CSI_DRIVER, List.of())
        .with(Kinds.STORAGE_CAPACITY, List.of())
        .with(Kinds.ATTRIBUTES_CLASS, List.of())
        .read(
            Kinds.STORAGE_CLASS,
            List.of(
                Draft.storageClass("fast").set("volumeBindingMode", "WaitForFirstConsumer").tree()))
        .read(
            Kinds.NODE,
            IntStream.range(0, nodes)
                .mapToObj(number -> Draft.node("node-" + number).tree())
                .toList())
        .read(
            Kinds.CSI_NODE,
            IntStream.range(0, nodes).mapToObj(number -> csiNode("node-" + number).tree()).toList())
        .read(Kinds.VOLUME, names.stream().map(name -> volume(name).tree()).toList())
        .read(Kinds.CLAIM, names.stream().map(name -> claim(name).tree()).toList())
        .read(
            Kinds.ATTACHMENT,
            IntStream.range(0, pods)
                .mapToObj(number -> Draft.attachment("pv-n" + number, node(number)).tree())
                .toList())
        .read(
            Kinds.POD,
            IntStream.range(0, pods)
                .mapToObj(
                    number -> Draft.pod("n" + number, "n" + number).runningOn(node(number)).tree())
                .toList())
        .read(Kinds.VOLUME, List.of(volume("bound").tree()))
        .read(Kinds.CLAIM, List.of(claim("bound").tree(), Draft.claim("waiting").tree()))
        .read(
            Kinds.POD,
            List.of(Draft.pod("bound", "bound").tree(), Draft.pod("waiting", "waiting").tree()));
  }

  /// A volume that is attached to so many nodes, for a pod on each.
  private static Snapshots shared(int nodes) {
    var pods =
        IntStream.range(0, nodes)
            .mapToObj(it -> Draft.pod("s" + it, "all").runningOn("shared-" + it).tree())
            .toList();
    var attachments =
        IntStream.range(0, nodes)
            .mapToObj(it -> Draft.attachment("pv-all", "shared-" + it).tree())
            .toList();
    return cluster(0)
        .read(Kinds.VOLUME, List.of(volume("all").tree()))
        .read(Kinds.CLAIM, List.of(claim("all").tree()))
        .read(Kinds.ATTACHMENT, attachments)
        .read(Kinds.POD, pods);
  }

  private static <K> int readsOfOne(Concern<?, K, ?, ?> concern, Ref about, Snapshots objects) {
    var reads = new LinkedHashMap<String, Integer>();
    var key = concern.decider().about(about, objects).findFirst().orElseThrow();
    look(reads, concern.decider(), key, objects);
    return reads.values().iterator().next();
  }

  private static String node(int number) {
    return "node-" + number % NODES;
  }

  private static Draft csiNode(String node) {
    return Draft.of(
        """
        apiVersion: storage.k8s.io/v1
        kind: CSINode
        metadata: {name: %s}
        spec: {drivers: [{name: disk.berth.dev, nodeID: %1$s, allocatable: {count: 100000}}]}
        """
            .formatted(node));
  }

  private static Draft claim(String name) {
    return Draft.bound(name, "pv-" + name).getFirst();
  }

  private static Draft volume(String name) {
    return Draft.bound(name, "pv-" + name).getLast();
  }

  private static Map<String, Integer> reads(Snapshots objects) {
    var scheduler = new Scheduler(Scheduler.Options.DEFAULT).pods().decider();
    var binder = Binder.claims(Binder.Options.DEFAULT).decider();
    var reads = new LinkedHashMap<String, Integer>();
    look(reads, scheduler, BOUND, objects);
    look(reads, scheduler, WAITING, objects);
    look(reads, binder, BOUND, objects);
    look(reads, binder, WAITING, objects);
    look(reads, Binder.volumes().decider(), VOLUME, objects);
    look(reads, AttachDetach.pods(AttachDetach.Options.DEFAULT).decider(), RUNNING, objects);
    look(reads, Protection.claims().decider(), RUNNING, objects);
    look(reads, Protection.volumes().decider(), VOLUME, objects);
    var deciders =
        Controllers.of(Controllers.Options.DEFAULT).concerns().stream()
            .<Decider<?, ?, ?>>map(Concern::decider)
            .toList();
    for (var decider : deciders) {
      change(reads, decider, Kinds.POD, RUNNING, objects);
      change(reads, decider, Kinds.CLAIM, RUNNING, objects);
      change(reads, decider, Kinds.VOLUME, VOLUME, objects);
      change(reads, decider, Kinds.CSI_NODE, ObjectKey.cluster("node-7"), objects);
      change(reads, decider, Kinds.STORAGE_CLASS, ObjectKey.cluster("fast"), objects);
    }
    return reads;
  }

  private static <K, V> void look(
      Map<String, Integer> reads, Decider<K, V, ?> decider, K key, Snapshots objects) {
    var counted = new Counted(Facts.of(objects));
    decider.decide(decider.view(counted, Rule.NOW), key);
    reads.put("look of " + decider.name() + " at " + key, counted.reads());
  }

  /// The object came.
  private static <T extends KubeObject> void change(
      Map<String, Integer> reads,
      Decider<?, ?, ?> decider,
      Kind<T> kind,
      ObjectKey key,
      Snapshots objects) {
    var counted = new Counted(Facts.of(objects));
    var object = objects.get(kind, key).found().orElseThrow();
    for (var trigger : decider.triggers()) woken(trigger, kind, Change.came(object), counted);
    reads.put("change of " + kind + " for " + decider.name(), counted.reads());
  }

  @SuppressWarnings("unchecked") // a trigger of this kind takes changes of this kind
  private static <T extends KubeObject> void woken(
      Trigger<?, ?> trigger, Kind<T> kind, Change<T> change, Counted objects) {
    if (trigger instanceof Trigger.OnKind<?, ?> on && on.kind().equals(kind))
      ((Trigger.OnKind<T, ?>) on).keys().apply(change, objects).forEach(_ -> {});
  }

  @Test
  void aLookReadsWhatItIsAbout() {
    var few = reads(cluster(1_000));
    assertThat(reads(cluster(10_000))).isEqualTo(few);
    assertThat(few.values()).as("each asked something").noneMatch(count -> count > 100);
  }

  /// A node that does is found among thousands without a word of most of them.
  @Test
  void aPodThatFitsNearlyAnywhereLooksAtFewNodes() {
    var scheduler = new Scheduler(Scheduler.Options.DEFAULT).pods();
    for (var pod : List.of(BOUND, WAITING)) {
      int few = readsOfOne(scheduler, Kinds.POD.ref(pod), cluster(100, 100));
      assertThat(readsOfOne(scheduler, Kinds.POD.ref(pod), cluster(100, 2_000))).isEqualTo(few);
      assertThat(few).isLessThan(60);
    }
  }

  /// Ten free volumes of one size on each machine: those of other machines are not looked at.
  @Test
  void aPodThatWantsALocalVolumeLooksAtThoseOfAFewMachines() {
    var scheduler = new Scheduler(Scheduler.Options.DEFAULT).pods();
    var pod = Kinds.POD.ref(ObjectKey.of("shop", "local"));
    int few = readsOfOne(scheduler, pod, local(100));
    assertThat(readsOfOne(scheduler, pod, local(1_000))).isEqualTo(few);
    assertThat(few).isLessThan(1_000);
  }

  private static Snapshots local(int nodes) {
    var volumes =
        IntStream.range(0, 10 * nodes)
            .mapToObj(it ->
                Draft.volume("local-" + it)
                    .set("spec.storageClassName", "local")
                    .set(
                        "spec.nodeAffinity.required.nodeSelectorTerms",
                        "[{matchExpressions: [{key: kubernetes.io/hostname, operator: In,"
                            + " values: [node-%d]}]}]".formatted(it / 10))
                    .tree())
            .toList();
    return cluster(0, nodes)
        .read(
            Kinds.STORAGE_CLASS,
            List.of(
                Draft.storageClass("local")
                    .set("provisioner", "kubernetes.io/no-provisioner")
                    .set("volumeBindingMode", "WaitForFirstConsumer")
                    .tree()))
        .read(Kinds.VOLUME, volumes)
        .read(
            Kinds.CLAIM, List.of(Draft.claim("local").set("spec.storageClassName", "local").tree()))
        .read(Kinds.POD, List.of(Draft.pod("local", "local").tree()));
  }

  /// Of an attachment whose volume is gone the attacher has noted the handle (AD-50).
  @Test
  void anOrphanIsFoundWithoutTryingAllVolumes() {
    var orphans = AttachDetach.orphans(AttachDetach.Options.DEFAULT);
    var left =
        Draft.attachment("pv-gone", "node-1").annotate("berth.dev/volume-handle", "h-pv-gone");
    for (var pods : List.of(100, 1_000)) {
      var objects = cluster(pods).read(Kinds.ATTACHMENT, List.of(left.tree()));
      assertThat(readsOfOne(orphans, left.as(Kinds.ATTACHMENT).ref(), objects)).isLessThan(10);
      var volumes = new LinkedHashMap<String, Integer>();
      change(
          volumes,
          AttachDetach.volumes(AttachDetach.Options.DEFAULT).decider(),
          Kinds.ATTACHMENT,
          left.key(),
          objects);
      assertThat(volumes.values()).allMatch(count -> count < 10);
    }
  }

  /// Nothing is asked of another driver's volumes.
  @Test
  void aDriverThatChangesConcernsItsOwnVolumes() {
    var objects = cluster(1_000);
    var change =
        Change.changed(csiDriver("other.example", true), csiDriver("other.example", false));
    for (var decider :
        List.of(
            AttachDetach.pods(AttachDetach.Options.DEFAULT).decider(),
            AttachDetach.volumes(AttachDetach.Options.DEFAULT).decider())) {
      var counted = new Counted(Facts.of(objects));
      for (var trigger : decider.triggers()) woken(trigger, Kinds.CSI_DRIVER, change, counted);
      assertThat(counted.reads()).as(decider.name()).isLessThan(5);
    }
  }

  private static CsiDriver csiDriver(String name, boolean attachRequired) {
    return Kinds.CSI_DRIVER
        .read()
        .apply(
            Draft.of(
                    """
                    apiVersion: storage.k8s.io/v1
                    kind: CSIDriver
                    metadata: {name: %s}
                    spec: {attachRequired: %s}
                    """
                        .formatted(name, attachRequired))
                .tree());
  }

  @Test
  void aLookAtAVolumeOnManyNodesReadsEachOfThemAFewTimes() {
    var concern = AttachDetach.volumes(AttachDetach.Options.DEFAULT);
    var attachment =
        Kinds.ATTACHMENT.ref(ObjectKey.cluster(Draft.name("pv-all").attachment("shared-7")));
    int few = readsOfOne(concern, attachment, shared(10));
    assertThat(readsOfOne(concern, attachment, shared(100))).isLessThanOrEqualTo(10 * few);
  }
}
