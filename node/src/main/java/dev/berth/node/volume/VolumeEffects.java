package dev.berth.node.volume;

import dev.berth.csi.client.CsiException;
import dev.berth.csi.v1.NodePublishVolumeRequest;
import dev.berth.csi.v1.NodeServiceCapability.RPC;
import dev.berth.csi.v1.NodeUnpublishVolumeRequest;
import dev.berth.csi.v1.NodeUnstageVolumeRequest;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.event.EventRecorder;
import dev.berth.kube.event.Notice;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.ObjectKey;
import dev.berth.kube.model.Reasons;
import dev.berth.kube.model.Resources;
import dev.berth.kube.model.Volume.SecretRef;
import dev.berth.kube.model.VolumeName;
import dev.berth.kube.time.Time;
import dev.berth.node.driver.Driver;
import dev.berth.node.driver.Drivers;
import dev.berth.node.volume.VolumeEffect.Publish;
import dev.berth.node.volume.VolumeEffect.Stage;
import dev.berth.node.volume.VolumeFiles.StillMountedException;
import dev.berth.node.volume.need.Want;
import dev.berth.node.volume.state.ActualState;
import dev.berth.node.volume.state.Publication;
import dev.berth.node.volume.state.Staging;
import dev.berth.node.volume.state.VolumeState.Attached;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// Carries out what [VolumeDecision] asks for. Each way into a mount has the same order: note on
/// disk, state in memory, call to the driver, its answer in the state (NVM-10, table 6b).
final class VolumeEffects {
  private final String node;
  private final Api api;
  private final Drivers drivers;
  private final VolumeFiles files;
  private final ActualState state;
  private final EventRecorder events;
  private final Time time;

  VolumeEffects(
      String node,
      Api api,
      Drivers drivers,
      VolumeFiles files,
      ActualState state,
      EventRecorder events,
      Time time) {
    this.node = node;
    this.api = api;
    this.drivers = drivers;
    this.files = files;
    this.state = state;
    this.events = events;
    this.time = time;
  }

  void carryOut(VolumeEffect effect) throws IOException {
    switch (effect) {
      case VolumeEffect.Verify(var name) -> verify(name);
      case Stage stage -> stage(stage);
      case Publish publish -> publish(publish);
      case VolumeEffect.Republish(var publish) -> republish(publish);
      case VolumeEffect.Unpublish(var name, var podUid) -> unpublish(name, podUid);
      case VolumeEffect.Unstage(var name) -> unstage(name);
      case VolumeEffect.Forget(var name) -> state.forget(name);
    }
  }

  /// The volume is reported in use and its entry keeps it so; only now does what the server says of
  /// the attachment hold until the entry goes (NVM-13, AD-63). What it says otherwise is in the
  /// caches afterwards, and the next decision waits for it.
  private void verify(VolumeName name) {
    if (!state.pin(name, true)) return;
    var own = Kinds.NODE.read().apply(api.get(Resources.NODES, ObjectKey.cluster(node)));
    var key = ObjectKey.cluster(name.attachment(node));
    var attachment = Kinds.ATTACHMENT.read().apply(api.get(Resources.ATTACHMENTS, key));
    if (!own.volumesInUse().contains(name.toString())
        || !own.volumesAttached().contains(name.toString())
        || !attachment.attached()
        || attachment.meta().deleting()) return;
    var proof = new Attached(attachment.meta().uid(), attachment.metadata());
    state.change(name, volume -> volume.with(proof));
  }

  private void stage(Stage effect) throws IOException {
    var want = effect.want();
    var began = time.now();
    try {
      var driver = driver(want.name());
      if (!driver.can(RPC.Type.STAGE_UNSTAGE_VOLUME)) {
        var skipped = stageable(want.name()).skip();
        state.change(want.name(), volume -> volume.with(skipped));
        return;
      }
      var group = stageable(want.name()).group().orElseGet(() -> told(driver, effect.group()));
      stage(want, requests(want, driver, group, want.source().nodeStageSecret(), "Stage"));
    } catch (RuntimeException | IOException failure) {
      tellFailure(want, "MountVolume.MountDevice", failure);
      throw failure;
    }
    tell(want, Reasons.VOLUME_STAGED, "staged", began);
  }

  private void stage(Want want, NodeRequests requests) throws IOException {
    var name = want.name();
    files.announceStaging(name, requests.group());
    var announced = stageable(name).announce(requests.group());
    state.change(name, volume -> volume.with(announced));
    try {
      requests.driver().calls().nodeStageVolume(requests.stage(files.stagingTarget(name)));
    } catch (CsiException refused) {
      if (!refused.uncertainOrExhausted()) refuteStaging(name, announced);
      throw refused;
    }
    state.change(name, volume -> volume.with(announced.confirm()));
  }

  /// The group for the driver to see to (NCSI-13); an empty text: none, or the agent does it.
  private static String told(Driver driver, Optional<FsGroup> group) {
    return group.isPresent() && driver.can(RPC.Type.VOLUME_MOUNT_GROUP) ? group.get().text() : "";
  }

  /// A staged volume has the group that it was staged with, whichever pod is next: in all calls
  /// about it the driver has to be told the same (NCSI-13).
  private String told(VolumeName name, Driver driver, Optional<FsGroup> group) {
    return state.now().volume(name).staging() instanceof Staging.Present(var staged)
        ? staged
        : told(driver, group);
  }

  private Staging.Stageable stageable(VolumeName name) {
    if (state.now().volume(name).staging() instanceof Staging.Stageable stageable) return stageable;
    throw new IllegalStateException(name + " is to be staged, and is already");
  }

  /// The driver refused for good; but what is mounted is mounted.
  private void refuteStaging(VolumeName name, Staging.Uncertain announced) throws IOException {
    if (!(announced.refute() instanceof Staging.Absent absent)) return;
    try {
      files.removeStaging(name);
    } catch (StillMountedException _) {
      return;
    }
    state.change(name, volume -> volume.with(absent));
  }

  private void publish(Publish effect) throws IOException {
    var want = effect.want();
    var began = time.now();
    try {
      var driver = driver(want.name());
      publish(effect, publishing(effect, driver));
    } catch (RuntimeException | IOException failure) {
      tellFailure(want, "MountVolume.SetUp", failure);
      throw failure;
    }
    tell(want, Reasons.VOLUME_PUBLISHED, "published", began);
  }

  /// What is mounted stays mounted, whatever comes of it (NCSI-10, table 6b).
  private void republish(Publish effect) throws IOException {
    var want = effect.want();
    var name = want.name();
    try {
      var requests = publishing(effect, driver(name));
      requests.driver().calls().nodePublishVolume(request(effect, requests));
    } catch (RuntimeException | IOException failure) {
      tellFailure(want, "MountVolume.SetUp", failure);
      throw failure;
    }
    var renewed = new Publication.Present(want.spec(), time.now());
    state.change(name, volume -> volume.with(want.podUid(), renewed));
  }

  private NodeRequests publishing(Publish effect, Driver driver) throws IOException {
    var want = effect.want();
    var group = told(want.name(), driver, effect.group());
    return requests(want, driver, group, want.source().nodePublishSecret(), "Publish");
  }

  private NodePublishVolumeRequest request(Publish effect, NodeRequests requests) {
    var want = effect.want();
    Optional<Path> staging =
        state.now().volume(want.name()).staging() instanceof Staging.Present
            ? Optional.of(files.stagingTarget(want.name()))
            : Optional.empty();
    var target = files.publishTarget(want.podUid(), want.spec());
    return requests.publish(staging, target, effect.podInfo());
  }

  private void publish(Publish effect, NodeRequests requests) throws IOException {
    var want = effect.want();
    var name = want.name();
    var uid = want.podUid();
    files.announcePublication(name, uid, want.spec());
    var announced = announced(name, uid, want.spec());
    state.change(name, volume -> volume.with(uid, announced));
    try {
      requests.driver().calls().nodePublishVolume(request(effect, requests));
    } catch (CsiException refused) {
      if (!refused.uncertainOrExhausted()) refutePublication(name, uid, announced);
      throw refused;
    }
    // Also where the driver could: it was not told when it staged the volume for an earlier pod.
    if (requests.group().isEmpty() && effect.group().filter(FsGroup::byAgent).isPresent())
      files.own(files.publishTarget(uid, want.spec()), effect.group().get());
    state.change(name, volume -> volume.with(uid, announced.confirm(time.now())));
    effect.group().ifPresent(group -> tellOtherGroup(want, group, requests.group()));
  }

  /// NCSI-13: whoever finds that he may not write has to be able to find out why.
  private void tellOtherGroup(Want want, FsGroup wanted, String given) {
    if (given.isEmpty() || given.equals(wanted.text())) return;
    events.tell(
        Notice.warning(
            want.pod().ref(),
            Reasons.OTHER_GROUP,
            "volume %s belongs to group %s on this node, for a pod that had it before asked for that fsGroup; group %s of this pod is not given its files, its containers are in group %s as well. Give all pods of the claim one fsGroup"
                .formatted(want.spec(), given, wanted.text(), given)));
  }

  private Publication.Uncertain announced(VolumeName name, String podUid, String spec) {
    return switch (state.now().volume(name).publications().get(podUid)) {
      case null -> Publication.announce(spec);
      case Publication.Uncertain uncertain -> uncertain;
      case Publication.Present _ ->
          throw new IllegalStateException(
              name + " is to be published for pod " + podUid + ", and is already");
    };
  }

  /// The driver refused for good; but what is mounted is mounted (NCSI-16).
  private void refutePublication(VolumeName name, String podUid, Publication.Uncertain announced)
      throws IOException {
    if (announced.refute().isPresent()) return;
    try {
      files.removePublication(podUid, announced.spec());
    } catch (StillMountedException _) {
      return;
    }
    state.change(name, volume -> volume.without(podUid));
  }

  /// Parts, then the driver, then the directories (NOPX-07, NCSI-17). A failure leaves it
  /// uncertain, and the next attempt begins with the same call.
  private void unpublish(VolumeName name, String podUid) throws IOException {
    if (!state.beginUnpublish(name, podUid)) return;
    var publication = state.now().volume(name).publications().get(podUid);
    if (publication == null) return;
    files.removeParts(podUid, publication.spec());
    driver(name)
        .calls()
        .nodeUnpublishVolume(
            NodeUnpublishVolumeRequest.newBuilder()
                .setVolumeId(name.handle())
                .setTargetPath(files.publishTarget(podUid, publication.spec()).toString())
                .build());
    files.removePublication(podUid, publication.spec());
    state.change(name, volume -> volume.without(podUid));
  }

  /// A failure leaves it uncertain, and the next attempt begins with the same call. Who wants the
  /// volume meanwhile finds it absent afterwards, and attached as before (NOPX-09).
  private void unstage(VolumeName name) throws IOException {
    var others = files.otherMountsOf(name);
    if (!others.isEmpty())
      throw new IOException(
          "the device mount path \"%s\" is still mounted by other references %s"
              .formatted(files.stagingTarget(name), others));
    var driver = driver(name);
    if (!(state.now().volume(name).staging() instanceof Staging.Unstageable staged))
      throw new IllegalStateException(name + " is to be unstaged, and is not staged");
    var undone = staged.undo();
    state.change(name, volume -> volume.with(undone));
    if (driver.can(RPC.Type.STAGE_UNSTAGE_VOLUME))
      driver
          .calls()
          .nodeUnstageVolume(
              NodeUnstageVolumeRequest.newBuilder()
                  .setVolumeId(name.handle())
                  .setStagingTargetPath(files.stagingTarget(name).toString())
                  .build());
    files.removeStaging(name);
    state.change(name, volume -> volume.with(undone.gone()));
  }

  private Driver driver(VolumeName name) throws IOException {
    return drivers
        .find(name.driver())
        .orElseThrow(() ->
            new IOException(
                "driver name %s not found in the list of registered CSI drivers"
                    .formatted(name.driver())));
  }

  private NodeRequests requests(
      Want want, Driver driver, String group, Optional<SecretRef> secret, String step)
      throws IOException {
    var attached = state.now().volume(want.name()).attached();
    return new NodeRequests(
        want,
        driver,
        group,
        attached.map(Attached::metadata).orElse(Map.of()),
        secret.isPresent() ? read(secret.get(), step) : Map.of());
  }

  /// Before anything is announced: a Secret that cannot be read changes nothing (NVM-19).
  private Map<String, String> read(SecretRef secret, String step) throws IOException {
    try {
      return api.get(Resources.SECRETS, secret.key()).path("data").properties().stream()
          .collect(
              Collectors.toMap(Map.Entry::getKey, entry -> decoded(entry.getValue().asText())));
    } catch (ApiException unreadable) {
      throw new IOException(
          "fetching Node%sSecretRef %s failed: %s"
              .formatted(step, secret.key(), unreadable.getMessage()),
          unreadable);
    }
  }

  private static String decoded(String base64) {
    return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
  }

  /// NOPX-06; what fails on the way out gives no event.
  private void tellFailure(Want want, String operation, Exception failure) {
    events.tell(
        Notice.warning(
            want.pod().ref(),
            Reasons.FAILED_MOUNT,
            "%s failed for volume \"%s\" : %s"
                .formatted(operation, want.spec(), failure.getMessage())));
  }

  /// Each phase with its duration, so that slow storage can be blamed on the right step (NRUN-17).
  private void tell(Want want, String reason, String done, Instant began) {
    var millis = Duration.between(began, time.now()).toMillis();
    events.tell(
        Notice.normal(
            want.pod().ref(),
            reason,
            "driver %s %s volume %s in %d ms"
                .formatted(want.source().driver(), done, want.spec(), millis)));
  }
}
