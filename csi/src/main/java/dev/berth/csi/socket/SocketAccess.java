package dev.berth.csi.socket;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipalNotFoundException;
import java.util.Optional;
import java.util.Set;

/// Who may connect to a socket: on Linux, who may write to it (UDS-07).
///
/// @param group name or number of the group that it is given to; empty: that of the process
public record SocketAccess(Set<PosixFilePermission> mode, Optional<String> group) {
  public static final SocketAccess OWNER_ONLY = of(PosixFilePermissions.fromString("rw-------"));

  public SocketAccess {
    mode = Set.copyOf(mode);
  }

  public static SocketAccess of(Set<PosixFilePermission> mode) {
    return new SocketAccess(mode, Optional.empty());
  }

  /// The group first: as long as the mode is not set only the owner may connect.
  void set(Path socket) throws IOException {
    if (group.isPresent())
      Files.getFileAttributeView(socket, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
          .setGroup(known(group.get()));
    Files.setPosixFilePermissions(socket, mode);
  }

  /// @throws IOException if this machine has no such group
  void check() throws IOException {
    if (group.isPresent()) known(group.get());
  }

  private static GroupPrincipal known(String group) throws IOException {
    try {
      return FileSystems.getDefault()
          .getUserPrincipalLookupService()
          .lookupPrincipalByGroupName(group);
    } catch (UserPrincipalNotFoundException unknown) {
      throw new IOException(
          "this machine has no group %s for the socket; name another, or give its number"
              .formatted(group),
          unknown);
    }
  }
}
