package dev.berth.conform.trial;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/// What a run is told about the driver and the machine.
///
/// @param folder where a folder for the run is made, which is removed at the end
/// @param timeout how long one call may take
public record Settings(
    Sockets sockets, Path folder, Shape shape, Maps maps, Extras extras, Duration timeout) {
  private static final long MIB = 1L << 20;

  /// Where the driver answers.
  ///
  /// @param controller Identity, Controller and the services beside it
  /// @param node the Node service; often the same
  public record Sockets(Path controller, Path node) {}

  /// What the volumes of a run are like.
  ///
  /// @param fsType file system to ask for; empty: the driver's choice
  /// @param size in bytes
  /// @param grownSize that volumes are expanded to, in bytes; above `size`
  public record Shape(Access access, String fsType, long size, long grownSize) {
    public static final Shape USUAL = new Shape(Access.MOUNT, "", 64 * MIB, 128 * MIB);

    public Shape {
      if (size <= 0) throw new IllegalArgumentException("size is " + size + ", not above 0");
      if (grownSize <= size)
        throw new IllegalArgumentException(
            "the size to grow to, %d, is not above the size, %d".formatted(grownSize, size));
    }

    public Shape with(Access access) {
      return new Shape(access, fsType, size, grownSize);
    }
  }

  /// Maps that only the driver's author can know.
  ///
  /// @param volume `parameters` of CreateVolume
  /// @param snapshot `parameters` of CreateSnapshot and CreateVolumeGroupSnapshot
  /// @param mutable `mutable_parameters`
  /// @param secrets for every call that takes some
  public record Maps(
      Map<String, String> volume,
      Map<String, String> snapshot,
      Map<String, String> mutable,
      Map<String, String> secrets) {
    public static final Maps NONE = new Maps(Map.of(), Map.of(), Map.of(), Map.of());

    public Maps {
      volume = Map.copyOf(volume);
      snapshot = Map.copyOf(snapshot);
      mutable = Map.copyOf(mutable);
      secrets = Map.copyOf(secrets);
    }
  }

  /// What makes further checks possible.
  ///
  /// @param otherNode id of a second node of the same storage
  /// @param log the driver's log, to be looked through for secrets
  public record Extras(Optional<String> otherNode, Optional<Path> log, AttachLimit attachLimit) {
    public static final Extras NONE =
        new Extras(Optional.empty(), Optional.empty(), AttachLimit.LEFT_ALONE);
  }

  /// Reaching the limit takes as many volumes as the node says that it can have.
  public enum AttachLimit {
    REACHED,
    LEFT_ALONE
  }

  /// Usual volumes of a driver that serves everything on one socket.
  public static Settings of(Path socket, Path folder) {
    return new Settings(
        new Sockets(socket, socket),
        folder,
        Shape.USUAL,
        Maps.NONE,
        Extras.NONE,
        Duration.ofSeconds(60));
  }

  public Settings with(Sockets sockets) {
    return new Settings(sockets, folder, shape, maps, extras, timeout);
  }

  public Settings with(Shape shape) {
    return new Settings(sockets, folder, shape, maps, extras, timeout);
  }

  public Settings with(Maps maps) {
    return new Settings(sockets, folder, shape, maps, extras, timeout);
  }

  public Settings with(Extras extras) {
    return new Settings(sockets, folder, shape, maps, extras, timeout);
  }

  public Settings with(Duration timeout) {
    return new Settings(sockets, folder, shape, maps, extras, timeout);
  }
}
