package dev.berth.driver.baremetal.node;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.driver.baremetal.object.BareMetalKinds;
import dev.berth.driver.baremetal.object.Drive;
import dev.berth.driver.baremetal.object.DriveUsage;
import dev.berth.driver.baremetal.object.Health;
import dev.berth.driver.baremetal.object.LocalVolume;
import dev.berth.driver.baremetal.object.Marks;
import dev.berth.driver.baremetal.object.Presence;
import dev.berth.driver.baremetal.registry.Registry;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.JsonPatch;
import dev.berth.kube.event.EventRecorder;
import dev.berth.kube.event.Notice;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Json;
import dev.berth.linux.loop.LoopDevice;
import dev.berth.linux.loop.LoopDevices;
import dev.berth.linux.loop.LoopOptions;
import dev.berth.linux.loop.LoopOptions.Flag;
import dev.berth.linux.mount.MountFlag;
import dev.berth.linux.mount.MountOptions;
import dev.berth.linux.mount.Mounts;
import dev.berth.linux.mount.Mounts.Unmount;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Shows something empty in the place of a volume whose drive is out of reach, where the claim says
/// that its pods shall start all the same (BM-150): a kubelet starts no pod of whose volumes one
/// cannot be staged.
///
/// It is read-only, as what is written to it is lost (BM-151), and bears a name by which everybody
/// sees what it is. Which volume is shown so stands in the volume's annotations before anything is
/// mounted (BM-153).
record StandIns(Registry registry, Mounts mounts, EventRecorder events) {
  /// What the mount table shows as its source, before the volume's id.
  private static final String SOURCE = "fake-attach:";

  private static final String ALLOWED = "pv.attach.kubernetes.io/ignore-if-inaccessible";
  private static final String FILE = "stand-in";
  private static final long BYTES = 1 << 20;
  private static final int FORBIDDEN = 403;

  /// Whether a stand-in is mounted at `path`.
  boolean isAt(Path path, LocalVolume volume) {
    return mounts.at(path).filter(it -> it.source().equals(SOURCE + volume.id())).isPresent();
  }

  /// Whether one may be shown now: the drive is to blame, not a file system on it nor the caller
  /// (BM-154), and the claim allows it (BM-38).
  ///
  /// @param device where the drive itself is; empty: the node does not have it
  boolean mayStandIn(LocalVolume volume, Optional<Path> device) {
    var drive = volume.drive().flatMap(registry::drive);
    boolean toBlame = device.isEmpty() || drive.filter(StandIns::isLost).isPresent();
    return toBlame && isAllowed(volume);
  }

  private static boolean isLost(Drive drive) {
    var state = drive.observed();
    // BM-170: that this node was silent a moment ago is no fault of the drive
    return (state.presence() == Presence.OFFLINE && !state.silent())
        || state.health() == Health.BAD
        || Set.of(DriveUsage.RELEASED, DriveUsage.REMOVING, DriveUsage.REMOVED)
            .contains(state.usage());
  }

  /// BM-153: a volume without a claim is nobody's who could have allowed it.
  private boolean isAllowed(LocalVolume volume) {
    try {
      var api = registry.api();
      var claim =
          api.get(Resources.VOLUMES, ObjectKey.cluster(volume.id())).path("spec").path("claimRef");
      var name = Json.text(claim, "name");
      if (name.isEmpty()) return false;
      var key = ObjectKey.of(Json.text(claim, "namespace"), name);
      var notes = api.get(Resources.CLAIMS, key).path("metadata").path("annotations");
      return Json.text(notes, ALLOWED).equalsIgnoreCase("yes");
    } catch (ApiException refused) {
      if (refused.isNotFound() || refused.code() == FORBIDDEN) return false;
      throw refused;
    }
  }

  /// Notes that the volume is shown so from now on, and says it.
  void begin(LocalVolume volume) {
    if (volume.fakeAttached()) return;
    registry
        .api()
        .patch(
            BareMetalKinds.VOLUMES,
            volume.meta().key(),
            new JsonPatch()
                .testSame(volume.meta())
                .setAnnotations(volume.meta(), Map.of(Marks.FAKE_ATTACH, Marks.YES))
                .patch());
    events.tell(
        Notice.warning(
            volume.ref(),
            "FakeAttachInvolved",
            "its drive is out of reach: its pods see something empty instead"));
  }

  /// BM-152: the volume itself is shown again.
  void end(LocalVolume volume) {
    if (!volume.fakeAttached()) return;
    registry
        .api()
        .patch(
            BareMetalKinds.VOLUMES,
            volume.meta().key(),
            new JsonPatch().removeAnnotation(volume.meta(), Marks.FAKE_ATTACH).patch());
    events.tell(
        Notice.normal(volume.ref(), "FakeAttachCleared", "its pods see the volume itself again"));
  }

  /// What a staged stand-in has in the volume's `status`.
  static void status(ObjectNode status) {
    status.put("OperationalStatus", "MISSING");
  }

  /// An empty file system.
  void mount(LocalVolume volume, Path directory) {
    var options = MountOptions.NONE.with("size=" + BYTES).with("mode=0777");
    if (readOnly(volume)) options = options.with(MountFlag.RO);
    mounts.mount("tmpfs", SOURCE + volume.id(), directory, options);
  }

  /// An empty device, made if it is not there.
  ///
  /// @param staging the folder in which its file is
  Path device(LocalVolume volume, Path staging) throws IOException {
    var file = staging.resolve(FILE);
    var loops = new LoopDevices();
    if (!Files.exists(file))
      try (var made = new RandomAccessFile(file.toFile(), "rw")) {
        made.setLength(BYTES);
      }
    var there = loops.anyOf(file).map(LoopDevice::device);
    if (there.isPresent()) return there.get();
    var options = readOnly(volume) ? LoopOptions.of(Flag.READ_ONLY) : LoopOptions.of();
    try (var loop = loops.attach(file, options)) {
      return loop.device();
    }
  }

  /// Takes a stand-in away from where a pod, or the staging, had it.
  void unmount(LocalVolume volume, Path path, Path staging) throws IOException {
    if (isAt(path, volume)) mounts.unmount(path, Unmount.IF_UNUSED);
    var file = staging.resolve(FILE);
    if (!Files.exists(file)) return;
    var device = new LoopDevices().anyOf(file).map(LoopDevice::device);
    if (device.isPresent() && !path.equals(staging)) {
      if (mounts.at(path).filter(it -> Places.shows(it, device.get())).isPresent())
        mounts.unmount(path, Unmount.IF_UNUSED);
      return;
    }
    if (!path.equals(staging)) return;
    device.ifPresent(new LoopDevices()::detach);
    Files.delete(file);
  }

  private static boolean readOnly(LocalVolume volume) {
    return !"rw".equals(volume.recipe().parameters().get(Marks.FAKE_ATTACH_MODE));
  }
}
