package dev.berth.node.runtime.cri;

import dev.berth.node.runtime.ImageRequest;
import dev.berth.node.runtime.ImageRequest.Policy;
import dev.berth.node.runtime.ImageRequest.RegistryLogin;
import dev.berth.node.runtime.RefusedException;
import dev.berth.node.runtime.RefusedException.Reason;
import dev.berth.node.runtime.cri.v1.AuthConfig;
import dev.berth.node.runtime.cri.v1.Image;
import dev.berth.node.runtime.cri.v1.ImageSpec;
import dev.berth.node.runtime.cri.v1.ImageStatusRequest;
import dev.berth.node.runtime.cri.v1.PullImageRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/// The images of an engine. Which failed to come is kept in memory: another process tries once
/// more.
final class Images {
  private static final Duration LOOKING = Duration.ofMinutes(2);

  /// Longer than any pull that still makes headway.
  private static final Duration PULLING = Duration.ofHours(2);

  private static final Duration FIRST_PAUSE = Duration.ofSeconds(10);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(5);

  private final CriConnection engine;
  private final Supplier<Instant> now;
  private final Map<Wish, Failed> failed = new ConcurrentHashMap<>();

  /// What one pod's logins do not get another's may.
  private record Wish(String podUid, String image) {
    static Wish of(ImageRequest wanted) {
      return new Wish(wanted.podUid(), wanted.name());
    }
  }

  /// @param times how often in a row
  private record Failed(int times, Instant at) {
    Instant next() {
      var pause = FIRST_PAUSE.multipliedBy(1L << Math.min(times - 1, 10));
      return at.plus(pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE);
    }
  }

  Images(CriConnection engine, Supplier<Instant> now) {
    this.engine = engine;
    this.now = now;
  }

  /// The pod is gone: what it could not have is forgotten.
  void forget(String podUid) {
    failed.keySet().removeIf(wish -> wish.podUid().equals(podUid));
  }

  /// Sees to it that there is such an image, as the pod's pull policy says.
  void obtain(ImageRequest wanted) throws RefusedException {
    var name = wanted.name();
    if (name.isBlank() || !name.equals(name.strip()))
      throw new RefusedException(
          Reason.INVALID_IMAGE_NAME, "\"%s\" is not the name of an image".formatted(name));
    boolean present = wanted.policy() != Policy.ALWAYS && find(name).isPresent();
    if (present) {
      failed.remove(Wish.of(wanted));
      return;
    }
    if (wanted.policy() == Policy.NEVER)
      throw new RefusedException(
          Reason.ERR_IMAGE_NEVER_PULL,
          "image \"%s\" is not on the node, and its imagePullPolicy is Never".formatted(name));
    var before = failed.get(Wish.of(wanted));
    if (before != null && now.get().isBefore(before.next()))
      throw new RefusedException(
          Reason.IMAGE_PULL_BACK_OFF,
          "Back-off pulling image \"%s\": tried %d times, again at %s"
              .formatted(name, before.times(), before.next()));
    pull(wanted);
    failed.remove(Wish.of(wanted));
  }

  /// With each login that fits, the most special first; without one, if there is none.
  private void pull(ImageRequest wanted) throws RefusedException {
    var logins = new ArrayList<Optional<RegistryLogin>>();
    wanted.logins().read().forEach(login -> logins.add(Optional.of(login)));
    if (logins.isEmpty()) logins.add(Optional.empty());
    Optional<CriException> refused = Optional.empty();
    for (var login : logins) {
      try {
        pull(wanted.name(), login);
        return;
      } catch (CriException failure) {
        refused = Optional.of(failure);
      }
    }
    failed.merge(
        Wish.of(wanted),
        new Failed(1, now.get()),
        (before, _) -> new Failed(before.times() + 1, now.get()));
    throw new RefusedException(
        Reason.ERR_IMAGE_PULL, words(refused.orElseThrow(), wanted.name()), refused.orElseThrow());
  }

  private static String words(CriException refused, String name) {
    var hint =
        name.equals("host")
            ? " (the image host is the built-in runtime's: berth node"
                + " --container-runtime-endpoint=built-in)"
            : "";
    return "failed to " + refused.getMessage() + hint;
  }

  private void pull(String name, Optional<RegistryLogin> login) {
    var request = PullImageRequest.newBuilder().setImage(spec(name));
    login.ifPresent(it -> request.setAuth(auth(it)));
    engine.images("pull image \"" + name + "\"", PULLING, stub -> stub.pullImage(request.build()));
  }

  private static AuthConfig auth(RegistryLogin login) {
    return AuthConfig.newBuilder()
        .setServerAddress(login.server())
        .setUsername(login.user())
        .setPassword(login.password())
        .setIdentityToken(login.token())
        .build();
  }

  /// The image that has this name on the node now.
  Optional<Image> find(String name) {
    var answer =
        engine.images(
            "look for image \"" + name + "\"",
            LOOKING,
            stub -> stub.imageStatus(ImageStatusRequest.newBuilder().setImage(spec(name)).build()));
    return answer.hasImage() ? Optional.of(answer.getImage()) : Optional.empty();
  }

  private static ImageSpec spec(String name) {
    return ImageSpec.newBuilder().setImage(name).build();
  }
}
