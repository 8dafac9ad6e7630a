package dev.berth.node.pod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.linux.sys.Errno;
import dev.berth.linux.sys.Failure;
import dev.berth.linux.sys.LinuxException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// The reason is told, the place is not.
class UnplacedTest {
  private static final String PLACE = "/home/kubelet/pods/1";

  private static final Failure FULL = new Failure.Full(Errno.ENOSPC);

  record Told(Exception failure, String reason) {}

  static final List<Told> reasons =
      List.of(
          new Told(new LinuxException("mount " + PLACE, FULL), FULL.reason()),
          new Told(
              new FileSystemException(PLACE, null, "No space left on device"),
              "No space left on device"),
          new Told(new FileAlreadyExistsException(PLACE), "FileAlreadyExistsException"),
          new Told(new IOException("Input/output error"), "Input/output error"),
          new Told(new IOException(PLACE + " is not JSON"), "IOException"),
          new Told(new IOException("cannot read \"" + PLACE + "\""), "IOException"),
          new Told(
              new UncheckedIOException(
                  PLACE, new FileSystemException(PLACE, null, "Too many open files")),
              "Too many open files"),
          new Told(
              new UncheckedIOException(PLACE, new IOException("No space left on device")),
              "No space left on device"),
          new Told(new IllegalStateException(PLACE), "IllegalStateException"));

  @ParameterizedTest
  @FieldSource
  void reasons(Told told) {
    assertThat(Unplaced.why(told.failure()))
        .contains(": " + told.reason() + "; ")
        .doesNotContain(PLACE);
  }
}
