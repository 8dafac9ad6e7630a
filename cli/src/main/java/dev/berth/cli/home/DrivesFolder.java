package dev.berth.cli.home;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// Where a stack keeps the drives of its nodes that are files, and by which file of the user's they
/// are described: whoever takes a killed stack down needs to know, too.
///
/// @param folder need not be there
public record DrivesFolder(Path folder) {
  /// The drives themselves.
  public Path images() {
    return folder.resolve("images");
  }

  private Path note() {
    return folder.resolve("described-by");
  }

  /// Remembers the file that describes them.
  public void note(Path file) throws IOException {
    Files.createDirectories(folder);
    Files.writeString(note(), file.toAbsolutePath() + "\n");
  }

  /// The file that described them last; empty: there were never any, or the file has gone.
  public Optional<Path> file() {
    if (!Files.exists(note())) return Optional.empty();
    try {
      var file = Path.of(Files.readString(note(), StandardCharsets.UTF_8).strip());
      return Optional.of(file).filter(Files::isReadable);
    } catch (IOException unreadable) {
      throw new UncheckedIOException("read " + note(), unreadable);
    }
  }
}
