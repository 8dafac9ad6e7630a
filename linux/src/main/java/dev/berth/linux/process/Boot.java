package dev.berth.linux.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// The present boot of this machine.
public final class Boot {
  private static final Path FILE = Path.of("/proc/sys/kernel/random/boot_id");

  private Boot() {}

  /// Its name, which no other boot of any machine has.
  public static String id() {
    try {
      return Files.readString(FILE).strip();
    } catch (IOException broken) {
      throw new UncheckedIOException("read " + FILE, broken);
    }
  }
}
