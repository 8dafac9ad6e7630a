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
import dev.berth.node.volume.VolumeFiles.Noted;
import dev.berth.node.volume.state.ActualState;
import dev.berth.node.volume.state.Form;
import dev.berth.node.volume.state.Lost;
import dev.berth.volume.Translation;
import java.io.IOException;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Carries out what [LostMounts] asks for: the note is written again, and what it is about is an
/// uncertain mount from then on. The note counts, if somebody has mended it; else of what a pod has
/// the pod, whose own it may be, then the PersistentVolume, whose source never changes; and of what
/// is staged, of which only a digest is known, what the node has reported in use, what its pods
/// have, and as a last resort all PersistentVolumes.
public record LostMountEffects(String node, Api api, VolumeFiles files, ActualState state)
    implements Effects<LostMounts.Find> {
  private static final Logger log = LoggerFactory.getLogger(LostMountEffects.class);

  @Override
  public void carryOut(LostMounts.Find find) throws IOException {
    var mount = find.mount();
    if (!state.now().lost().contains(mount)) return;
    var found = found(mount);
    if (found.isEmpty()) {
      giveUp(mount);
      return;
    }
    var name = found.get().name();
    var form = found.get().form();
    var its = files.of(form);
    if (mount.podUids().isEmpty() || mount instanceof Lost.Device)
      its.announceStaging(name, mount.text(), "");
    else for (var uid : mount.podUids()) its.announcePublication(name, uid, mount.text(), form);
    state.find(mount, name, form);
  }

  private Optional<Noted> found(Lost mount) throws IOException {
    var noted = files.noted(mount);
    return switch (mount) {
      case Lost.Device(var spec, _) -> noted.isPresent() ? noted : described(spec, Form.DEVICE);
      case Lost.Staged staged ->
          noted.or(() -> staged(staged).map(name -> new Noted(name, Form.CLAIMED)));
      case Lost.Published published ->
          noted.isPresent() ? noted.map(note -> own(note, published)) : published(published);
    };
  }

  /// Some notes say nothing of the form: a pod's own volume has a handle that is made of the pod's
  /// uid.
  private static Noted own(Noted note, Lost.Published mount) {
    boolean own = note.name().handle().equals(handle(mount.podUid(), mount.spec()));
    return own ? new Noted(note.name(), Form.INLINE) : note;
  }

  /// NLAY-03.
  private static String handle(String uid, String volume) {
    return "csi-" + Layout.sha256(uid + volume);
  }

  /// The pod comes first: by the name alone its own volume could as well be another pod's, or a
  /// PersistentVolume, and the driver would delete the wrong one.
  private Optional<Noted> published(Lost.Published mount) throws IOException {
    var own = ofPod(mount);
    if (own.isPresent()) return own.map(name -> new Noted(name, Form.INLINE));
    var elsewhere = files.notedElsewhere(mount);
    return elsewhere.isPresent()
        ? elsewhere.map(name -> new Noted(name, Form.CLAIMED))
        : described(mount.spec(), Form.CLAIMED);
  }

  /// What nobody knows and is not mounted is nothing that a driver could be asked to undo
  /// (NREC-03): then only the note and its directories go. What is mounted stays for a person to
  /// look at; a device may be in use all the same.
  private void giveUp(Lost mount) throws IOException {
    switch (mount) {
      case Lost.Device(var spec, _) ->
          throw new IOException(
              "neither its note nor the API server says whose %s is".formatted(spec));
      case Lost.Staged staged -> giveUpStaged(staged);
      case Lost.Published(var uid, var spec) -> {
        files.removeParts(uid, spec);
        files.removePublication(uid, spec);
        log.warn(
            "volume {} of pod {} is known to nobody and not mounted: its damaged note was removed",
            spec,
            uid);
      }
    }
    state.unlose(mount);
  }

  private void giveUpStaged(Lost.Staged mount) throws IOException {
    try {
      files.removeStaged(mount);
    } catch (IOException left) {
      throw new IOException(
          "neither a note nor the API server says whose %s is: see what it is and unmount it by hand, or mend its note (%s)"
              .formatted(mount.text(), left.getMessage()),
          left);
    }
    log.warn("what is left of {} is known to nobody and not mounted: it was removed", mount.text());
  }

  /// Whoever has a kubelet's rights only is refused a volume that no pod here has, whether or not
  /// there is one.
  private Optional<Noted> described(String spec, Form form) throws IOException {
    try {
      var volume = api.get(Resources.VOLUMES, ObjectKey.cluster(spec));
      var name =
          Translation.NONE
              .name(Kinds.VOLUME.read().apply(volume))
              .orElseThrow(
                  () -> new IOException("persistentvolume %s is no CSI volume".formatted(spec)));
      return Optional.of(new Noted(name, form));
    } catch (ApiException missing) {
      if (!missing.isNotFound() && missing.code() != 403) throw missing;
      return Optional.empty();
    }
  }

  private Optional<VolumeName> ofPod(Lost.Published mount) {
    var here = Selector.fields("spec.nodeName=" + node);
    return api.list(Resources.PODS, "", here).items().stream()
        .map(object -> Kinds.POD.read().apply(object))
        .filter(pod -> mount.podUid().equals(pod.meta().uid()))
        .flatMap(pod -> inline(pod, mount.spec()))
        .findFirst();
  }

  private static Stream<VolumeName> inline(Pod pod, String spec) {
    return pod.volumes().stream()
        .filter(volume -> volume.name().equals(spec))
        .map(PodVolume::source)
        .filter(Source.InlineCsi.class::isInstance)
        .map(source -> Json.text(((Source.InlineCsi) source).spec(), "driver"))
        .map(driver -> new VolumeName(driver, handle(pod.meta().uid(), spec)));
  }

  /// By the directory: what is attached here, or was reported in use, or a pod still has; or any
  /// volume, where the agent may see them all.
  private Optional<VolumeName> staged(Lost.Staged mount) {
    var own = Kinds.NODE.read().apply(api.get(Resources.NODES, ObjectKey.cluster(node)));
    var told =
        Stream.of(own.volumesInUse().stream(), own.volumesAttached().stream())
            .flatMap(each -> each)
            .flatMap(text -> VolumeName.parse(text).stream());
    return Stream.concat(told, state.now().volumes().keySet().stream())
        .filter(mount::isOf)
        .findFirst()
        .or(() -> anywhere(mount));
  }

  private Optional<VolumeName> anywhere(Lost.Staged mount) {
    try {
      return api.list(Resources.VOLUMES, "", Selector.ALL).items().stream()
          .flatMap(volume -> Translation.NONE.name(Kinds.VOLUME.read().apply(volume)).stream())
          .filter(mount::isOf)
          .findFirst();
    } catch (ApiException refused) {
      if (refused.code() != 403) throw refused;
      return Optional.empty();
    }
  }
}
