package dev.berth.apiserver.rights.token;

import java.util.Optional;

/// What a token is bound to: it is good as long as all of that is there.
public record Bond(Optional<To> pod, Optional<To> node, Optional<To> secret) {
  public static final Bond NONE = new Bond(Optional.empty(), Optional.empty(), Optional.empty());

  /// An object.
  ///
  /// @param uid empty: of a node that is only named, with the pod
  public record To(String name, String uid) {}
}
