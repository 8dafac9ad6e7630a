package dev.berth.bench.scale;

import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.CREATE_DELETE_VOLUME;
import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.PUBLISH_UNPUBLISH_VOLUME;
import static dev.berth.csi.v1.PluginCapability.Service.Type.CONTROLLER_SERVICE;
import static dev.berth.csi.v1.PluginCapability.Service.Type.VOLUME_ACCESSIBILITY_CONSTRAINTS;

import dev.berth.controller.attachdetach.AttachDetach;
import dev.berth.controller.binder.Binder;
import dev.berth.controller.ephemeral.EphemeralVolumes;
import dev.berth.controller.protection.Protection;
import dev.berth.controller.scheduler.Scheduler;
import dev.berth.kube.cache.Snapshots;
import dev.berth.kube.fact.Counted;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.loop.Concern;
import dev.berth.kube.loop.Decider;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.node.NodeDeciders;
import dev.berth.node.Presumption;
import dev.berth.sidecar.SidecarDeciders;
import dev.berth.sidecar.SidecarOptions;
import dev.berth.sidecar.connection.DriverFacts;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/// A look of each decider at an object that there is in a cluster of any size, with as much about
/// it.
final class Looks {
  /// By name, in the order in which they are told.
  static final Map<String, Function<Snapshots, Look>> ALL = new LinkedHashMap<>();

  private static final Instant NOW = Instant.parse("2026-11-22T12:00:00Z");
  private static final Ref BOUND = Kinds.POD.ref(World.BOUND);
  private static final Ref WAITING = Kinds.POD.ref(World.WAITING);
  private static final Ref POD = Kinds.POD.ref(ObjectKey.of("default", "pod-7"));
  private static final Ref CLAIM = Kinds.CLAIM.ref(ObjectKey.of("default", "pod-7"));
  private static final Ref VOLUME = Kinds.VOLUME.ref(ObjectKey.cluster("pv-pod-7"));
  private static final Ref ATTACHMENT = Kinds.ATTACHMENT.ref(ObjectKey.cluster("csi-7"));

  static {
    controllers();
    sidecars();
    agent();
  }

  private Looks() {}

  private static void controllers() {
    var scheduler = new Scheduler(Scheduler.Options.DEFAULT).pods();
    var claims = Binder.claims(Binder.Options.DEFAULT);
    look("scheduler, pod with a bound claim", scheduler, BOUND);
    look("scheduler, pod whose claim waits", scheduler, WAITING);
    look("binder, bound claim", claims, Kinds.CLAIM.ref(World.BOUND));
    look("binder, waiting claim", claims, Kinds.CLAIM.ref(World.WAITING));
    look("binder, volume", Binder.volumes(), VOLUME);
    look("attach/detach, pod", AttachDetach.pods(AttachDetach.Options.DEFAULT), POD);
    look("attach/detach, volume", AttachDetach.volumes(AttachDetach.Options.DEFAULT), ATTACHMENT);
    look("claim protection", Protection.claims(), CLAIM);
    look("volume protection", Protection.volumes(), VOLUME);
    look("ephemeral volumes, pod", EphemeralVolumes.claims(), POD);
  }

  private static void sidecars() {
    var driver =
        new DriverFacts(
            World.DRIVER,
            Set.of(CONTROLLER_SERVICE, VOLUME_ACCESSIBILITY_CONSTRAINTS),
            Set.of(CREATE_DELETE_VOLUME, PUBLISH_UNPUBLISH_VOLUME));
    var deciders = SidecarDeciders.of(driver, SidecarOptions.DEFAULT);
    look(
        "provisioner, claim for a node",
        sidecar(deciders, "provisioner"),
        Kinds.CLAIM.ref(World.NEAR));
    look(
        "provisioner, claim for any node",
        sidecar(deciders, "provisioner"),
        Kinds.CLAIM.ref(World.SPREAD));
    look("provisioner, bound claim", sidecar(deciders, "provisioner"), CLAIM);
    look("reclaimer, volume", sidecar(deciders, "reclaimer"), VOLUME);
    look("attacher, attachment", sidecar(deciders, "attacher"), ATTACHMENT);
    look("attacher, volume", sidecar(deciders, "attacher"), VOLUME);
  }

  private static Concern<?, ?, ?, ?> sidecar(SidecarDeciders deciders, String name) {
    return deciders.all().stream()
        .filter(each -> each.decider().name().equals(name + "/" + World.DRIVER))
        .findFirst()
        .orElseThrow();
  }

  /// Of a node with as many pods in any cluster.
  private static void agent() {
    var deciders = NodeDeciders.of(World.OWN);
    var node = Kinds.NODE.ref(ObjectKey.cluster(World.OWN));
    var pod = Kinds.POD.ref(ObjectKey.of("default", "own-7"));
    look("node identity", deciders.identity(), node, Looks::agent);
    look("volume manager, volume", deciders.volumes(), pod, Looks::agent);
    look("volumes in use", deciders.inUse(), node, Looks::agent);
    look("pod manager, pod", deciders.pods(), pod, Looks::agent);
  }

  private static Facts agent(Snapshots objects) {
    return Presumption.of(World.OWN, objects);
  }

  private static <K> void look(String name, Concern<?, K, ?, ?> concern, Ref about) {
    look(name, concern.decider(), about, Facts::of);
  }

  private static <K, V> void look(
      String name, Decider<K, V, ?> decider, Ref about, Function<Snapshots, Facts> known) {
    ALL.put(
        name,
        objects -> {
          var facts = known.apply(objects);
          var key = decider.about(about, objects).findFirst().orElseThrow();
          var counted = new Counted(facts);
          var _ = decider.decide(decider.view(counted, NOW), key);
          return new Look(() -> decider.decide(decider.view(facts, NOW), key), counted.reads());
        });
  }

  /// @param work that is a look
  /// @param reads of objects and answers that it takes
  record Look(Runnable work, int reads) {}
}
