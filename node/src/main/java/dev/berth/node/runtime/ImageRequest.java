package dev.berth.node.runtime;

import java.util.List;

/// An image that a container is to be started from.
///
/// @param podUid of the pod that wants it, with whose logins it is pulled; empty: of none
/// @param name as the pod's author wrote it
/// @param policy when it is pulled
/// @param logins reads what the pod's secrets say of registries; asked only if it is to be pulled
public record ImageRequest(String podUid, String name, Policy policy, Logins logins) {
  /// `imagePullPolicy`.
  public enum Policy {
    ALWAYS,
    IF_NOT_PRESENT,
    NEVER
  }

  /// Where the pod's pull secrets are.
  @FunctionalInterface
  public interface Logins {
    /// Those for the registry of the image, the most special first.
    List<RegistryLogin> read();
  }

  /// Never to be logged.
  ///
  /// @param token identity token in place of a password; empty: none
  public record RegistryLogin(String server, String user, String password, String token) {
    @Override
    public String toString() {
      return "login at " + server;
    }
  }
}
