package dev.berth.driver.disk.file;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Looks into folders of a pool, with words where that fails.
public final class Folders {
  /// Names in a folder, in order; none if there is no such folder. Files that are being written are
  /// left out.
  public static List<String> names(Path folder) {
    return everyName(folder).stream().filter(name -> !name.endsWith(".tmp")).toList();
  }

  /// Names in a folder, in order, also of files that are being written.
  public static List<String> everyName(Path folder) {
    try (var files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    } catch (NoSuchFileException | NotDirectoryException _) {
      return List.of();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot list " + folder + ": " + e.getMessage(), e);
    }
  }

  /// Makes a folder if there is none, for its owner only.
  public static void create(Path folder) {
    try {
      OwnerOnly.makeFolder(folder);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot make " + folder + ": " + e.getMessage(), e);
    }
  }

  /// Removes a file or an empty folder, and says whether there was one.
  public static boolean remove(Path file) {
    try {
      return Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot remove " + file + ": " + e.getMessage(), e);
    }
  }

  /// Removes files that belong to none of these ids, by their names up to the first dot.
  ///
  /// @param keep folder where they are put instead; it is made for the first of them
  /// @return what was removed
  public static Set<String> sweep(Path folder, Set<String> known, Optional<Path> keep) {
    var swept = new HashSet<String>();
    try (var files = Files.list(folder)) {
      for (var file : files.toList()) {
        var name = file.getFileName().toString();
        if (known.contains(name.replaceFirst("\\..*$", ""))) continue;
        if (keep.isPresent()) {
          OwnerOnly.makeFolder(keep.get());
          Files.move(file, keep.get().resolve(name));
        } else Files.deleteIfExists(file);
        swept.add(name);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot look through " + folder + ": " + e.getMessage(), e);
    }
    return swept;
  }

  private Folders() {}
}
