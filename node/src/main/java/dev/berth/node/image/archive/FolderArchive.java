package dev.berth.node.image.archive;

import dev.berth.linux.file.Beneath;
import dev.berth.linux.file.FileStatus;
import dev.berth.linux.sys.Failure;
import dev.berth.linux.sys.LinuxException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// A folder. Links in it are not followed: they would lead to other files of the machine.
record FolderArchive(Path folder) implements Archive {
  @Override
  public Optional<InputStream> find(String name) throws IOException {
    try (var file = Beneath.find(folder, name)) {
      if (!FileStatus.onThisThread(file).isRegularFile())
        throw new BrokenImageException(folder.resolve(name) + " is no regular file");
      return Optional.of(Files.newInputStream(file.asPath()));
    } catch (LinuxException refused) {
      if (refused.failure() instanceof Failure.Missing) return Optional.empty();
      throw new BrokenImageException(String.valueOf(refused.getMessage()));
    }
  }

  @Override
  public void close() {}
}
