package dev.berth.driver.disk.pool;

import dev.berth.driver.disk.pool.StateFile.Survives;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// The volumes of a pool: a record and a backing file each.
public final class VolumeStore {
  private static final String RECORD = ".volume";
  private static final String IMAGE = ".img";

  private final Path folder;
  private final FolderSync sync;

  VolumeStore(Path folder) {
    this.folder = folder;
    this.sync = new FolderSync(folder);
  }

  public Optional<VolumeRecord> named(String name) {
    return read(Ids.hash(name)).filter(record -> record.recipe().name().equals(name));
  }

  public Optional<VolumeRecord> find(String id) {
    return Ids.hashIn(id).flatMap(this::read).filter(record -> record.id().equals(id));
  }

  /// In the order of the ids.
  ///
  /// @param after only those with a greater id
  public Stream<VolumeRecord> after(String after) {
    return names(RECORD)
        .sorted()
        .flatMap(hash -> read(hash).stream())
        .filter(record -> record.id().compareTo(after) > 0);
  }

  /// The backing file.
  public Path image(String id) {
    return folder.resolve(Ids.fileName(id) + IMAGE);
  }

  /// An id for a volume of this name that does not exist yet.
  public String freshId(String name) {
    return Ids.fresh("vol", name);
  }

  /// Makes the backing file, one large hole, and puts it on disk but for its name.
  public void makeImage(String id, long bytes) {
    setLength(image(id), bytes);
  }

  /// Makes the backing file larger; never smaller.
  public void growImage(String id, long bytes) {
    var image = image(id);
    if (image.toFile().length() < bytes) setLength(image, bytes);
  }

  private static void setLength(Path image, long bytes) {
    try (var file = new RandomAccessFile(image.toFile(), "rw")) {
      file.setLength(bytes);
      file.getChannel().force(true);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot set the size of " + image + ": " + e.getMessage(), e);
    }
  }

  /// Puts the record on disk, and with it the volume into being.
  public void put(VolumeRecord record) {
    var hash = Ids.hashIn(record.id()).orElseThrow();
    StateFile.write(
        folder.resolve(hash + RECORD), VolumeRecord.KIND, record.values(), Survives.POWER);
    sync.sync();
  }

  /// Removes first the record, so that what is left of a call that was cut off belongs to nobody.
  public void remove(String id) {
    try {
      Files.deleteIfExists(folder.resolve(Ids.hashIn(id).orElseThrow() + RECORD));
      removeFiles(id);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot remove " + id + ": " + e.getMessage(), e);
    }
    sync.sync();
  }

  private void removeFiles(String id) throws IOException {
    Files.deleteIfExists(image(id));
  }

  /// Puts names of files that were made or replaced on disk.
  public void sync() {
    sync.sync();
  }

  /// Removes what no record knows. Only for the one process that controls the pool, while no volume
  /// is being made.
  Set<String> sweep() {
    var known = new HashSet<String>();
    after("").forEach(record -> known.add(record.id()));
    var swept = new HashSet<String>();
    try (var files = Files.list(folder)) {
      for (var file : files.toList()) {
        var name = file.getFileName().toString();
        if (name.endsWith(RECORD) || known.contains(name.replaceFirst("\\.[a-z.]*$", ""))) continue;
        Files.deleteIfExists(file);
        swept.add(name);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot look through " + folder + ": " + e.getMessage(), e);
    }
    return swept;
  }

  private Optional<VolumeRecord> read(String hash) {
    return StateFile.read(folder.resolve(hash + RECORD), VolumeRecord.KIND).map(VolumeRecord::of);
  }

  private Stream<String> names(String ending) {
    try (var files = Files.list(folder)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(ending))
          .map(name -> name.substring(0, name.length() - ending.length()))
          .toList()
          .stream();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot list " + folder + ": " + e.getMessage(), e);
    }
  }
}
