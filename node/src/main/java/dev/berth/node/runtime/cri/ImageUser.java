package dev.berth.node.runtime.cri;

import dev.berth.node.runtime.ContainerSpec;
import dev.berth.node.runtime.RefusedException;
import dev.berth.node.runtime.RefusedException.Reason;
import dev.berth.node.runtime.cri.v1.ContainerConfig;
import dev.berth.node.runtime.cri.v1.Int64Value;
import java.util.Optional;
import java.util.OptionalLong;

/// As whom a container runs whose author does not say: the user of its image, by number or by name.
/// Engines take a group only together with a user.
record ImageUser(OptionalLong uid, Optional<String> name) {
  /// @throws RefusedException if that would be root, or might be, and the pod forbids it
  static ImageUser check(ContainerSpec spec, Images images) throws RefusedException {
    if (spec.engine().runAsUser().isPresent())
      return new ImageUser(OptionalLong.empty(), Optional.empty());
    var image = images.find(spec.image());
    var uid = image.filter(it -> it.hasUid()).map(it -> OptionalLong.of(it.getUid().getValue()));
    var name = image.map(it -> it.getUsername()).filter(it -> !it.isEmpty());
    if (spec.engine().runAsNonRoot()) {
      if (uid.isEmpty() && name.isPresent())
        throw new RefusedException(
            Reason.CREATE_CONTAINER_CONFIG_ERROR,
            "container has runAsNonRoot and image has non-numeric user (%s), cannot verify user is non-root"
                .formatted(name.get()));
      if (uid.isEmpty() || uid.get().orElse(0) == 0)
        throw new RefusedException(Reason.CREATE_CONTAINER_CONFIG_ERROR, spec.rootRefusal());
    }
    return name.isPresent() && uid.isEmpty()
        ? new ImageUser(OptionalLong.empty(), name)
        : new ImageUser(uid.orElse(OptionalLong.of(0)), Optional.empty());
  }

  /// The same, with this user.
  ContainerConfig in(ContainerConfig config) {
    var changed = config.toBuilder();
    var context = changed.getLinuxBuilder().getSecurityContextBuilder();
    uid.ifPresent(it -> context.setRunAsUser(Int64Value.newBuilder().setValue(it)));
    name.ifPresent(context::setRunAsUsername);
    return changed.build();
  }
}
