package dev.berth.node.pod;

import dev.berth.linux.sys.LinuxException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.util.Objects;
import java.util.regex.Pattern;

/// Why a container's files could not be prepared, without where on the machine: the pod's author
/// reads it.
final class Unplaced {
  /// "Input/output error" has none.
  private static final Pattern ABSOLUTE_PATH = Pattern.compile("(?<![A-Za-z])/");

  private Unplaced() {}

  static String why(Exception failure) {
    return "its files could not be prepared on the node: %s; the node agent's log says where"
        .formatted(reason(failure));
  }

  private static String reason(Exception failure) {
    return switch (failure) {
      case LinuxException refused -> refused.failure().reason();
      case UncheckedIOException wrapped -> reason(Objects.requireNonNull(wrapped.getCause()));
      case FileSystemException refused ->
          Objects.requireNonNullElse(refused.getReason(), kind(refused));
      case IOException broken when broken.getClass() == IOException.class -> words(broken);
      default -> kind(failure);
    };
  }

  /// The kernel's own words, such as "No space left on device", unless a path is among them.
  private static String words(IOException broken) {
    var message = broken.getMessage();
    return message == null || ABSOLUTE_PATH.matcher(message).find() ? kind(broken) : message;
  }

  private static String kind(Exception failure) {
    return failure.getClass().getSimpleName();
  }
}
