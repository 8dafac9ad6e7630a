package dev.berth.driver.baremetal.controller;

import dev.berth.driver.model.Access;
import dev.berth.driver.model.AccessMode;
import dev.berth.driver.model.Refusal;
import dev.berth.driver.model.SizeRange;
import dev.berth.driver.model.Usage;
import dev.berth.driver.model.Wire;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.Selector;
import dev.berth.kube.cache.Caches;
import dev.berth.kube.cache.Index;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Pod;
import dev.berth.kube.model.StorageClass;
import dev.berth.kube.model.StorageClass.BindingMode;
import dev.berth.kube.model.VolumeMode;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Which other volumes are to be made for the same pod on the same node, each of which needs a
/// drive for itself (BM-94): a scheduler that looks at each claim alone sends the pod where one
/// drive is free, and there the first claim would be bound and the second never. Whoever asks says
/// it by claims alone: a volume is called after the uid of its claim, and a claim that waits for
/// its first consumer says which node was chosen for it.
///
/// @param driver its name
record Companions(Caches caches, String driver) {
  private static final Index<Claim> BY_UID =
      new Index<>(Kinds.CLAIM, "uid", claim -> List.of(claim.meta().uid()));

  private static final Index<Claim> UNBOUND =
      new Index<>(
          Kinds.CLAIM,
          "unbound",
          claim -> isOnItsWay(claim) ? List.of(claim.meta().namespace()) : List.of());

  private static final Pattern CALLED =
      Pattern.compile("(.*)([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})");

  private static final String OF_KUBERNETES = Wire.KUBERNETES;

  /// What these say is to be cached.
  static final Set<Kind<?>> KINDS = Set.of(Kinds.CLAIM);

  /// A volume that is to be made, or is being made.
  ///
  /// @param name as whoever asks for it will call it
  record Companion(String name, Wish wish, SizeRange size) {}

  /// @param forNode a node is chosen for the volume's pod
  record Asked(boolean forNode, List<Companion> companions) {}

  private static boolean isOnItsWay(Claim claim) {
    return claim.volumeName().isEmpty() && !claim.meta().deleting();
  }

  /// In order of their claims. Nothing is known if whoever asks calls volumes otherwise.
  ///
  /// @param all whether its companions are asked for, too
  Asked of(String volume, boolean all) {
    var called = CALLED.matcher(volume);
    if (!called.matches()) return new Asked(false, List.of());
    var own = chosen(called.group(2));
    if (own.isEmpty()) return new Asked(false, List.of());
    if (!all || isAlone(own.get())) return new Asked(true, List.of());
    var namespace = own.get().meta().namespace();
    return new Asked(
        true,
        pods(own.get())
            .flatMap(pod -> claims(pod, namespace))
            .distinct()
            .sorted()
            .filter(key -> !key.equals(own.get().meta().key()))
            .flatMap(key -> found(Kinds.CLAIM, key).stream())
            .filter(Companions::isOnItsWay)
            .filter(it ->
                it.selectedNode().isEmpty() || it.selectedNode().equals(own.get().selectedNode()))
            .flatMap(it -> companion(it, called.group(1)).stream())
            .toList());
  }

  /// On its way to a node. Whoever asks may have seen it sooner than these caches; if they have its
  /// node, they have all that came before that.
  private boolean isAlone(Claim claim) {
    var cached = caches.snapshot().by(BY_UID, claim.meta().uid()).stream().findFirst();
    return cached.flatMap(Claim::selectedNode).isPresent()
        && caches.snapshot().by(UNBOUND, claim.meta().namespace()).stream()
            .allMatch(it -> it.meta().uid().equals(claim.meta().uid()));
  }

  /// The claim with this uid, if a node is chosen for it.
  private Optional<Claim> chosen(String uid) {
    var cached = caches.snapshot().by(BY_UID, uid).stream().findFirst();
    if (cached.flatMap(Claim::selectedNode).isPresent()) return cached;
    return (cached.isPresent()
            ? found(Kinds.CLAIM, cached.get().meta().key()).stream()
            : caches.api().list(Resources.CLAIMS, "", Selector.ALL).items().stream()
                .map(Kinds.CLAIM.read()))
        .filter(it -> it.meta().uid().equals(uid) && it.selectedNode().isPresent())
        .findFirst();
  }

  /// As the server has it now.
  private <T extends KubeObject> Optional<T> found(Kind<T> kind, ObjectKey key) {
    try {
      return Optional.of(kind.read().apply(caches.api().get(kind.resource(), key)));
    } catch (ApiException refused) {
      if (refused.isNotFound()) return Optional.empty();
      throw refused;
    }
  }

  /// That use the claim, or will. They are asked for where a companion may be, and only there.
  private Stream<Pod> pods(Claim claim) {
    var namespace = claim.meta().namespace();
    return caches.api().list(Resources.PODS, namespace, Selector.ALL).items().stream()
        .map(Kinds.POD.read())
        .filter(pod -> !pod.finished() && !pod.meta().deleting())
        .filter(pod -> claims(pod, namespace).anyMatch(claim.meta().key()::equals));
  }

  private static Stream<ObjectKey> claims(Pod pod, String namespace) {
    return pod.volumes().stream()
        .flatMap(volume -> volume.claimName(pod.meta().name()).stream())
        .map(name -> ObjectKey.of(namespace, name));
  }

  /// Empty: it is none of ours, has no need of a drive for itself, or is refused anyway.
  private Optional<Companion> companion(Claim claim, String prefix) {
    return claim
        .className()
        .filter(it -> !it.isEmpty())
        .flatMap(it -> found(Kinds.STORAGE_CLASS, ObjectKey.cluster(it)))
        .filter(it -> it.provisioner().equals(driver))
        .filter(it -> it.bindingMode() == BindingMode.WAIT_FOR_FIRST_CONSUMER)
        .flatMap(it -> wish(claim, it))
        .filter(wish -> !wish.shared())
        .map(wish ->
            new Companion(
                prefix + claim.meta().uid(), wish, SizeRange.atLeast(claim.request().toLong())));
  }

  private static Optional<Wish> wish(Claim claim, StorageClass storageClass) {
    try {
      return Optional.of(
          Wish.of(List.of(usage(claim.volumeMode(), storageClass)), parametersOf(storageClass)));
    } catch (Refusal _) {
      return Optional.empty();
    }
  }

  private static Usage usage(VolumeMode mode, StorageClass storageClass) {
    var type = storageClass.parameters().getOrDefault(OF_KUBERNETES + "fstype", "");
    return new Usage(
        mode == VolumeMode.BLOCK ? new Access.Block() : new Access.Mount(type, List.of(), ""),
        AccessMode.SINGLE_NODE_WRITER);
  }

  /// What a driver is told of them.
  static Map<String, String> parametersOf(StorageClass storageClass) {
    var all = new HashMap<>(storageClass.parameters());
    all.keySet().removeIf(it -> it.startsWith(OF_KUBERNETES));
    return all;
  }
}
