package dev.berth.node.runtime;

import java.util.List;

/// As whom a container's program runs.
///
/// @param groups supplementary ones: of the spec, of fsGroup, of volumes
public record User(int uid, int gid, List<Integer> groups) {
  public static final User ROOT = new User(0, 0, List.of());

  public User {
    groups = List.copyOf(groups);
  }
}
