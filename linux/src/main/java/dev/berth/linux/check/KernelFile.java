package dev.berth.linux.check;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.berth.linux.sys.Descriptor;
import dev.berth.linux.sys.SystemCall;
import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;

/// Small files of sysfs, which some hundred volumes have read every few seconds: with as few calls
/// as that takes. They never block.
final class KernelFile {
  private static final int MOST = 512;

  private KernelFile() {}

  /// What it says, without blanks around it; empty: there is none.
  static Optional<String> read(Path file) {
    long opened = Descriptor.tryOpen(file, Descriptor.O_RDONLY);
    if (opened < 0) return Optional.empty();
    try (var open = new Descriptor(opened);
        var arena = Arena.ofConfined()) {
      var bytes = arena.allocate(MOST);
      long length = SystemCall.READ.invoke(open.number(), bytes.address(), MOST);
      if (length < 0) return Optional.empty(); // it has just gone
      var text = bytes.asSlice(0, length).toArray(JAVA_BYTE);
      return Optional.of(new String(text, StandardCharsets.US_ASCII).strip());
    }
  }
}
