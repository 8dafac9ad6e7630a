package dev.berth.node.volume;

import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.Selector;
import dev.berth.kube.loop.Effects;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Pod;
import dev.berth.kube.model.PodVolume;
import dev.berth.kube.model.PodVolume.Source;
import dev.berth.kube.model.VolumeName;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Json;
import dev.berth.node.layout.Layout;
import dev.berth.node.volume.state.ActualState;
import dev.berth.node.volume.state.Form;
import dev.berth.node.volume.state.LostMount;
import dev.berth.volume.Translation;
import java.io.IOException;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Carries out what [LostDevices] asks for: the note is written again, and what it is about is an
/// uncertain mount from then on. The note counts, if somebody has mended it; else the
/// PersistentVolume, whose source never changes; of a pod's own volume the pod, and of what is
/// staged, of which only a digest is known, what the node has reported in use, what its pods have,
/// and as a last resort all PersistentVolumes.
public record LostDeviceEffects(String node, Api api, VolumeFiles files, ActualState state)
    implements Effects<LostDevices.Find> {
  private static final Logger log = LoggerFactory.getLogger(LostDeviceEffects.class);

  /// Whose something is.
  private record Found(VolumeName name, Form form) {}

  @Override
  public void carryOut(LostDevices.Find find) throws IOException {
    var spec = find.spec();
    var mount = state.now().lost().get(spec);
    if (mount == null) return;
    var found = found(spec, mount);
    if (found.isEmpty()) {
      giveUp(spec, mount);
      return;
    }
    var name = found.get().name();
    var its = files.of(found.get().form());
    if (mount.form() == Form.DEVICE || mount.podUids().isEmpty())
      its.announceStaging(name, spec, "");
    else
      for (var uid : mount.podUids()) its.announcePublication(name, uid, spec, found.get().form());
    state.find(spec, name, found.get().form());
  }

  private Optional<Found> found(String spec, LostMount mount) throws IOException {
    var noted = files.of(mount.form()).noted(spec);
    if (noted.isPresent())
      return Optional.of(new Found(noted.get(), form(noted.get(), mount, spec)));
    if (mount.form() != Form.DEVICE && mount.podUids().isEmpty())
      return staged(spec).map(name -> new Found(name, Form.CLAIMED));
    var described = described(spec).map(name -> new Found(name, mount.form()));
    return described.isPresent() || mount.form() == Form.DEVICE ? described : ofPod(spec, mount);
  }

  /// A pod's own volume has a handle that is made of the pod's uid.
  private static Form form(VolumeName name, LostMount mount, String spec) {
    boolean own = mount.podUids().stream().anyMatch(uid -> name.handle().equals(handle(uid, spec)));
    return own ? Form.INLINE : mount.form();
  }

  /// NLAY-03.
  private static String handle(String uid, String volume) {
    return "csi-" + Layout.sha256(uid + volume);
  }

  /// What nobody knows and is not mounted is nothing that a driver could be asked to undo
  /// (NREC-03): then only the note and its directories go. What is mounted stays for a person to
  /// look at; a device may be in use all the same.
  private void giveUp(String spec, LostMount mount) throws IOException {
    if (mount.form() == Form.DEVICE)
      throw new IOException("neither its note nor the API server says whose %s is".formatted(spec));
    if (mount.podUids().isEmpty()) {
      giveUpStaged(spec);
      return;
    }
    for (var uid : mount.podUids()) {
      files.removeParts(uid, spec);
      files.removePublication(uid, spec);
    }
    log.warn(
        "volume {} of pods {} is known to nobody and not mounted: its damaged note was removed",
        spec,
        mount.podUids());
    state.unlose(spec);
  }

  private void giveUpStaged(String spec) throws IOException {
    try {
      files.removeStaged(spec);
    } catch (IOException left) {
      throw new IOException(
          "neither a note nor the API server says whose %s is: see what it is, unmount it by hand and remove its note (%s)"
              .formatted(spec, left.getMessage()),
          left);
    }
    log.warn("what is left of {} is known to nobody and not mounted: it was removed", spec);
    state.unlose(spec);
  }

  private Optional<VolumeName> described(String spec) throws IOException {
    try {
      var volume = api.get(Resources.VOLUMES, ObjectKey.cluster(spec));
      return Optional.of(
          Translation.NONE
              .name(Kinds.VOLUME.read().apply(volume))
              .orElseThrow(
                  () -> new IOException("persistentvolume %s is no CSI volume".formatted(spec))));
    } catch (ApiException missing) {
      if (!missing.isNotFound()) throw missing;
      return Optional.empty();
    }
  }

  private Optional<Found> ofPod(String spec, LostMount mount) {
    var here = Selector.fields("spec.nodeName=" + node);
    return api.list(Resources.PODS, "", here).items().stream()
        .map(object -> Kinds.POD.read().apply(object))
        .filter(pod -> mount.podUids().contains(pod.meta().uid()))
        .flatMap(pod -> inline(pod, spec))
        .findFirst();
  }

  private static Stream<Found> inline(Pod pod, String spec) {
    return pod.volumes().stream()
        .filter(volume -> volume.name().equals(spec))
        .map(PodVolume::source)
        .filter(Source.InlineCsi.class::isInstance)
        .map(source -> Json.text(((Source.InlineCsi) source).spec(), "driver"))
        .map(driver -> new VolumeName(driver, handle(pod.meta().uid(), spec)))
        .map(name -> new Found(name, Form.INLINE));
  }

  /// By the directory: what is attached here, or was reported in use, or a pod still has; or any
  /// volume, where the agent may see them all.
  private Optional<VolumeName> staged(String spec) {
    var own = Kinds.NODE.read().apply(api.get(Resources.NODES, ObjectKey.cluster(node)));
    var told =
        Stream.of(own.volumesInUse().stream(), own.volumesAttached().stream())
            .flatMap(each -> each)
            .flatMap(text -> VolumeName.parse(text).stream());
    return Stream.concat(told, state.now().volumes().keySet().stream())
        .filter(name -> isStagedAt(name, spec))
        .findFirst()
        .or(() -> anywhere(spec));
  }

  private Optional<VolumeName> anywhere(String spec) {
    try {
      return api.list(Resources.VOLUMES, "", Selector.ALL).items().stream()
          .flatMap(volume -> Translation.NONE.name(Kinds.VOLUME.read().apply(volume)).stream())
          .filter(name -> isStagedAt(name, spec))
          .findFirst();
    } catch (ApiException refused) {
      if (refused.code() != 403) throw refused;
      return Optional.empty();
    }
  }

  /// @param spec as in [dev.berth.node.volume.state.Actual#lost]
  static boolean isStagedAt(VolumeName name, String spec) {
    return spec.equals(name.driver() + "/" + Layout.sha256(name.handle()));
  }
}
